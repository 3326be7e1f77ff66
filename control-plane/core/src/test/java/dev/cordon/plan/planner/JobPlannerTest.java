package dev.cordon.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cordon.config.HostShown;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.CommandRlimit;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.Hosts;
import dev.cordon.plan.Plan;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostSource;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.policy.Decision;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobPlannerTest {
    private static Plan plan(Job job, HostFacts facts) throws HostUnsupportedException {
        JobSpec spec = job.validate();
        Isolation level = spec.containment().isolation() == null
                ? Isolation.JAIL
                : spec.containment().isolation();
        return JobPlanner.plan(
                new JobId("job_x"), spec, new Decision.Allowed(level, List.of("a test")), HostView.of(facts));
    }

    private static List<FieldError> errorsOf(Job job, HostFacts facts) {
        InvalidJob invalid = catchThrowableOfType(InvalidJob.class, () -> plan(job, facts));
        return invalid == null ? List.of() : invalid.errors();
    }

    private static void assertRefused(Job job, HostFacts facts, String field, String rule) {
        assertThat(errorsOf(job, facts)).singleElement().satisfies(error -> {
            assertThat(error.pointer()).isEqualTo(field);
            assertThat(error.rule()).contains(rule);
            assertThat(error.remedy()).isNotBlank();
        });
    }

    /** Every operation finds its parent: a directory that an earlier operation made, not a link, a file or a read-only tree. */
    @Test
    void everyOperationFindsItsParent() throws HostUnsupportedException {
        HostFacts facts = Hosts.with(Hosts.root(), "/srv", Hosts.directory("/srv", 0, 0755, false));
        Job job = Job.argv("true")
                .readOnly(Path.of("/srv"), "/a/b/c")
                .readOnly(Path.of("/srv"), "/a/d")
                .readOnly(Path.of("/srv"), "/etc/ssl/mine")
                .readOnly(Path.of("/srv"), "/tmp/x/y")
                .workdir("/workspace/p/q");
        Set<String> writable = new HashSet<>(Set.of(""));
        for (RootStep operation : plan(job, facts).sandbox().operations()) {
            switch (operation) {
                case RootStep.Directory made -> enter(writable, made.path());
                case RootStep.Tmpfs made -> enter(writable, made.path());
                case RootStep.Proc made -> enter(writable, made.path());
                case RootStep.Devpts made -> assertParent(writable, made.path());
                case RootStep.Bind made -> assertParent(writable, made.path());
                case RootStep.Device made -> assertParent(writable, made.path());
                case RootStep.Symlink made -> assertParent(writable, made.path());
                case RootStep.TextFile made -> assertParent(writable, made.path());
                case RootStep.Cgroups ignored -> assertThat(writable).contains("/sys");
                case RootStep.Sysctl ignored -> assertThat(writable).contains("/proc");
                case RootStep.Mask ignored -> assertThat(writable).contains("/proc");
                case RootStep.ReadOnly ignored -> assertThat(writable).contains("/proc");
                case RootStep.Seal ignored -> writable.clear();
                case RootStep.Landlock ignored -> assertThat(writable).isEmpty();
            }
        }
    }

    private static void enter(Set<String> writable, String path) {
        assertParent(writable, path);
        assertThat(writable.add(path)).as("%s is made once", path).isTrue();
    }

    private static void assertParent(Set<String> writable, String path) {
        assertThat(writable).as("parent of %s", path).contains(path.substring(0, path.lastIndexOf('/')));
    }

    @Test
    void namespacesAreForbiddenBeforeTheirSettingIsReadOnlyAndMasksFollowTheNullDevice()
            throws HostUnsupportedException {
        List<RootStep> operations =
                plan(Job.argv("true"), Hosts.root()).sandbox().operations();
        int sysctl = operations.indexOf(new RootStep.Sysctl("/proc/sys/user/max_user_namespaces", "0"));
        assertThat(sysctl).isPositive().isLessThan(operations.indexOf(new RootStep.ReadOnly("/proc/sys")));
        assertThat(operations.indexOf(new RootStep.Device("/dev/null", "/dev/null")))
                .isNotNegative()
                .isLessThan(operations.indexOf(new RootStep.Mask("/proc/kcore")));
    }

    @Test
    void nothingOfTheHostIsWritableUnlessItWasAskedFor() throws HostUnsupportedException {
        assertThat(plan(Job.argv("true"), Hosts.root()).sandbox().operations())
                .filteredOn(RootStep.Bind.class::isInstance)
                .isNotEmpty()
                .noneMatch(operation -> ((RootStep.Bind) operation).writable());
    }

    @Test
    void whatMayHoldCredentialsIsNoCandidate() {
        assertThat(HostShown.STANDARD.files())
                .doesNotContain(
                        "/etc",
                        "/etc/ssl",
                        "/etc/ssl/private",
                        "/etc/shadow",
                        "/etc/passwd",
                        "/etc/machine-id",
                        "/etc/ld.so.preload",
                        "/opt",
                        "/etc/maven",
                        "/etc/maven/settings.xml",
                        "/etc/R",
                        "/etc/R/Renviron.site",
                        "/etc/pip.conf",
                        "/etc/npmrc",
                        "/etc/gitconfig",
                        "/sys",
                        "/var",
                        "/home");
    }

    @Test
    void sizesOfTheWritableTreesComeFromTheLimits() throws HostUnsupportedException {
        Job job = Job.argv("true").disk(ByteSize.mib(3)).files(99);
        assertThat(plan(job, Hosts.root()).sandbox().operations())
                .contains(
                        new RootStep.Tmpfs("/tmp", 01777, ByteSize.mib(3), 99),
                        new RootStep.Tmpfs("/workspace", 0755, ByteSize.mib(3), 99),
                        new RootStep.Tmpfs("/dev/shm", 01777, ByteSize.mib(3), 99));
    }

    @Test
    void theCpuBeltRoundsUp() throws HostUnsupportedException {
        Job job = Job.argv("true").limit(Limit.CPU_TIME, "1500ms");
        assertThat(plan(job, Hosts.root()).exec().command().rlimits())
                .contains(new CommandRlimit(CommandRlimit.Resource.CPU, 2, 3));
        assertThat(plan(job.limit(Limit.CPU_TIME, "1ms"), Hosts.root())
                        .exec()
                        .command()
                        .rlimits())
                .contains(new CommandRlimit(CommandRlimit.Resource.CPU, 1, 2));
    }

    @Test
    void everyMissingSourceIsNamedAtOnce() {
        Job job = Job.file(Path.of("/no/a.py"))
                .stdin(Path.of("/no/in"))
                .profile(Path.of("/no/profile.json"))
                .readOnly(Path.of("/no/data"), "/in");
        assertThat(errorsOf(job, Hosts.root()))
                .extracting(FieldError::pointer)
                .containsExactlyInAnyOrder("/file", "/stdin", "/profile", "/mounts/0/source");
    }

    @Test
    void sourcesOfTheWrongKindAreRefused() {
        Job job = Job.argv("true").readOnly(Path.of("/run/docker.sock"), "/in");
        assertRefused(
                job,
                Hosts.with(Hosts.root(), "/run/docker.sock", Hosts.socket("/run/docker.sock")),
                "/mounts/0/source",
                "socket");
        Job file = Job.argv("true").stdin(Path.of("/srv"));
        assertRefused(
                file,
                Hosts.with(Hosts.root(), "/srv", Hosts.directory("/srv", 0, 0755, false)),
                "/stdin",
                "not a regular file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/proc", "/proc/1", "/sys/fs/cgroup", "/dev/shm"})
    void theHostsKernelInterfacesAreNeverShownEvenThroughALink(String real) {
        HostFacts facts = Hosts.with(Hosts.root(), "/srv/link", Hosts.directory(real, 0, 0755, false));
        assertRefused(
                Job.argv("true").readOnly(Path.of("/srv/link"), "/in"), facts, "/mounts/0/source", "kernel interfaces");
    }

    @Test
    void whatTheKernelHasMountedBelowASourceIsNeverShown() {
        HostSource chroot =
                new HostSource(HostSource.Kind.DIRECTORY, Path.of("/srv/c"), 0, 0, 0755, 0, "/srv/c/proc", false);
        assertRefused(
                Job.argv("true").readOnly(Path.of("/srv/c"), "/in"),
                Hosts.with(Hosts.root(), "/srv/c", chroot),
                "/mounts/0/source",
                "mounted on /srv/c/proc");
        assertRefused(
                Job.argv("true").readOnly(Path.of("/run/user"), "/in"),
                Hosts.with(Hosts.root(), "/run/user", Hosts.directory("/run/user", 0, 0755, false)),
                "/mounts/0/source",
                "sockets");
    }

    @Test
    void aSourceThatTheJobCouldNotReadIsRefusedWithTheRemedy() {
        Job job = Job.argv("true").readOnly(Path.of("/root/key"), "/key");
        HostSource secret = Hosts.file("/root/key", 0, 0600);
        assertRefused(job, Hosts.with(Hosts.root(), "/root/key", secret), "/mounts/0/source", "mode 0600");
        assertRefused(job, Hosts.with(Hosts.subordinate(), "/root/key", secret), "/mounts/0/source", "mode 0600");
        assertThat(errorsOf(job, Hosts.with(Hosts.rootless(), "/root/key", secret)))
                .isEmpty();
    }

    @Test
    void aMountBelowTheHostImageIsRefused() {
        HostFacts facts = Hosts.with(Hosts.root(), "/srv", Hosts.directory("/srv", 0, 0755, false));
        assertRefused(
                Job.argv("true").readOnly(Path.of("/srv"), "/etc/ssl/certs/mine"),
                facts,
                "/mounts/0/target",
                "/etc/ssl/certs");
        assertRefused(
                Job.argv("true").readOnly(Path.of("/srv"), "/etc/localtime"),
                facts,
                "/mounts/0/target",
                "/etc/localtime");
        assertRefused(
                Job.argv("true").readOnly(Path.of("/srv"), "/etc/hosts/x"), facts, "/mounts/0/target", "/etc/hosts");
    }

    @Test
    void aFileOfTheJobsInAMountIsRefused() {
        HostFacts facts = Hosts.with(Hosts.root(), "/srv", Hosts.directory("/srv", 0, 0755, false));
        Job job = Job.argv("true").readOnly(Path.of("/srv"), "/workspace/in").put("in/a", new byte[0]);
        assertRefused(job, facts, "/files", "/workspace/in");
    }

    @Test
    void aScriptLargerThanTheDiskIsRefused() {
        HostFacts facts = Hosts.with(
                Hosts.root(),
                "/srv/a.py",
                new HostSource(HostSource.Kind.FILE, Path.of("/srv/a.py"), 0, 0, 0644, 1L << 40, null, false));
        assertRefused(Job.file(Path.of("/srv/a.py")), facts, "/file", "disk limit");
    }

    @Test
    void vmIsolationIsNeverLowered() {
        assertThatThrownBy(() -> plan(Job.argv("true").isolation(Isolation.VM), Hosts.root()))
                .isInstanceOf(HostUnsupportedException.class)
                .hasMessageContaining("vm");
    }

    @Test
    void aStrictJobIsRefusedWhereTheCallersGroupsStay() throws HostUnsupportedException {
        HostFacts grouped = Hosts.facts(Hosts.ADA, Hosts.ADA, true, Optional.empty(), Map.of());
        assertThatThrownBy(() -> plan(Job.argv("true").strict(true), grouped))
                .isInstanceOf(HostUnsupportedException.class)
                .hasMessageContaining("newuidmap");
        assertThat(plan(Job.argv("true"), grouped).sandbox().remarks().layersMissing())
                .containsExactly("groups");
        assertThat(plan(Job.argv("true").strict(true), Hosts.rootless())
                        .sandbox()
                        .remarks()
                        .layersMissing())
                .isEmpty();
        assertThat(plan(Job.argv("true").strict(true), Hosts.subordinate())
                        .sandbox()
                        .remarks()
                        .layersMissing())
                .isEmpty();
    }

    @Test
    void aHostWithoutUsrIsUnsupported() {
        HostFacts bare = Hosts.plain(
                0, 0, false, Hosts.SLOTS, Optional.empty(), new TreeMap<>(), Path.of("/run/cordon"), Map.of());
        assertThatThrownBy(() -> plan(Job.argv("true"), bare)).hasMessageContaining("/usr");
    }

    @Test
    void aProcessHasNoMounts() {
        HostFacts facts = Hosts.with(Hosts.root(), "/srv", Hosts.directory("/srv", 0, 0755, false));
        Job job = Job.argv("true").isolation(Isolation.PROCESS).readOnly(Path.of("/srv"), "/in");
        assertRefused(job, facts, "/mounts/0", "mount namespace");
    }

    @Test
    void aStrictProcessNeedsAUidOfItsOwn() throws HostUnsupportedException {
        Job job = Job.argv("true").isolation(Isolation.PROCESS).strict(true);
        assertThatThrownBy(() -> plan(job, Hosts.rootless())).isInstanceOf(HostUnsupportedException.class);
        assertThat(plan(job, Hosts.root()).sandbox().ids()).isEqualTo(new HostIds.Slot(Hosts.SLOTS));
    }
}
