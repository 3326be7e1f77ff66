package dev.cordon.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostSource;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.policy.Decision;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DESIGN.md section 5: through a live read-write bind a job could leave a setuid file on the host. */
class LiveMountTest {
    private static final Path OUT = Path.of("/home/ada/out");
    private static final Job JOB = Job.argv("true").readWrite(OUT, "/out");

    private static Plan plan(Job job, HostFacts facts) throws HostUnsupportedException {
        return JobPlanner.plan(
                new JobId("job_x"),
                job.validate(),
                new Decision.Allowed(Isolation.JAIL, List.of("a test")),
                HostView.of(facts));
    }

    private static List<String> rulesOf(Job job, HostFacts facts) {
        InvalidJob invalid = catchThrowableOfType(InvalidJob.class, () -> plan(job, facts));
        return invalid == null
                ? List.of()
                : invalid.errors().stream().map(FieldError::message).toList();
    }

    private static HostFacts out(HostFacts facts, long owner, boolean privateAbove) {
        return Hosts.with(facts, OUT.toString(), Hosts.directory(OUT.toString(), owner, 0755, privateAbove));
    }

    @Test
    void asRootTheJobBecomesTheDirectorysOwner() throws HostUnsupportedException {
        Plan plan = plan(JOB, out(Hosts.root(), Hosts.ADA, true));
        assertThat(plan.sandbox().ids()).isEqualTo(new HostIds.Owner(Hosts.ADA, Hosts.ADA));
        assertThat(plan.sandbox().remarks().notes()).singleElement().asString().contains("1001:1001");
        assertThat(plan.sandbox().operations())
                .contains(new RootStep.Bind("/out", OUT.toString(), true), new RootStep.Landlock("/out", true));
    }

    @Test
    void aDirectoryOfRootsIsRefused() {
        assertThat(rulesOf(JOB, out(Hosts.root(), 0, true)))
                .singleElement()
                .asString()
                .contains("host's root", "chown");
    }

    @Test
    void aDirectoryOfRootsGroupIsRefused() {
        HostSource group = new HostSource(HostSource.Kind.DIRECTORY, OUT, Hosts.ADA, 0, 0755, 0, null, true);
        assertThat(rulesOf(JOB, Hosts.with(Hosts.root(), OUT.toString(), group)))
                .singleElement()
                .asString()
                .contains("1001:0");
    }

    @Test
    void aDirectoryThatOthersCanReachIsRefused() {
        assertThat(rulesOf(JOB, out(Hosts.root(), Hosts.ADA, false)))
                .singleElement()
                .asString()
                .contains("0700");
        assertThat(rulesOf(JOB, out(Hosts.rootless(), Hosts.ADA, false)))
                .singleElement()
                .asString()
                .contains("0700");
    }

    @Test
    void rootlessTheDirectoryIsTheCallersAndSoIsTheUid() throws HostUnsupportedException {
        assertThat(plan(JOB, out(Hosts.rootless(), Hosts.ADA, true)).sandbox().ids())
                .isEqualTo(new HostIds.Caller(Hosts.ADA, Hosts.ADA));
        assertThat(plan(JOB, out(Hosts.subordinate(), Hosts.ADA, true))
                        .sandbox()
                        .ids())
                .isEqualTo(new HostIds.Caller(Hosts.ADA, Hosts.ADA));
        assertThat(rulesOf(JOB, out(Hosts.rootless(), 1002, true)))
                .singleElement()
                .asString()
                .contains("another user");
    }

    @Test
    void aFileIsNoLiveMount() {
        HostFacts facts = Hosts.with(Hosts.root(), OUT.toString(), Hosts.file(OUT.toString(), Hosts.ADA, 0644));
        assertThat(rulesOf(JOB, facts)).singleElement().asString().contains("not a directory");
    }

    @Test
    void severalLiveMountsHaveOneOwner() {
        HostFacts facts = Hosts.with(
                out(Hosts.root(), Hosts.ADA, true),
                "/home/bob/out",
                Hosts.directory("/home/bob/out", 1002, 0755, true));
        Job job = JOB.readWrite(Path.of("/home/bob/out"), "/bob");
        assertThat(rulesOf(job, facts)).singleElement().asString().contains("/mounts/1/source", "one owner");
    }

    @Test
    void codeNeverLandsInALiveWorkspace() throws HostUnsupportedException {
        Plan plan = plan(Job.python("1").readWrite(OUT, "/workspace"), out(Hosts.root(), Hosts.ADA, true));
        assertThat(plan.exec().files()).extracting(StagedFile::path).containsExactly("/tmp/main.py");
        assertThat(plan.exec().command().argv()).containsExactly("python3", "/tmp/main.py");
        assertThat(plan.sandbox().operations())
                .noneMatch(operation -> operation instanceof RootStep.Tmpfs tmpfs
                        && tmpfs.path().equals("/workspace"));
    }
}
