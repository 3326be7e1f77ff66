package dev.cordon.selftest.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.value.OpenFlag;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.config.Config;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.jail.JailBackend;
import dev.cordon.engine.jail.JailedProgram;
import dev.cordon.engine.jail.SysTree;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.plan.planner.QemuPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** THREATS H-02: the escape probes, in the jail and under the filter that QEMU has: what a guest finds that breaks out of its machine. */
@Tag("jail")
@Tag("asUser")
final class QemusPlaceJailTest {
    private static final String PROGRAM = "/dev/fd/3";
    private static final String KILLED = "killed for a refused system call";

    /** QEMU lays a filter of its own over the jail's. */
    private static final Set<String> QEMUS_OWN = Set.of("a filter of its own by seccomp");

    @TempDir
    private static Path folder;

    private static JailBackend jails;
    private static HostSurvey survey;

    @OpenCordon
    private static Cordon cordon;

    private static ProbeBox box;

    @BeforeAll
    static void open() throws IOException, SandboxException {
        Config config = Config.load();
        ControlPlaneName owner = ControlPlaneName.current();
        Path plane = config.runDirectory().resolve(owner.job(0, "plane").fileName());
        survey = HostSurvey.of(
                config, plane, SysTree.below(config.runDirectory()).path());
        jails = JailBackend.open(config, owner, plane);
        box = ProbeBox.open(cordon, NativeParts.load().probesProgram());
    }

    @AfterAll
    static void close() throws IOException {
        box.close();
        jails.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A-04", "A-06", "A-08", "A-09", "B-02", "B-03", "B-04", "B-05", "B-06", "B-07", "B-08", "B-09", "B-10",
                "B-12", "B-13", "C-01"
            })
    void isRefused(String id) throws Exception {
        judge(id, List.of(), List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"C-08"})
    void isRefusedInADirectory(String id) throws Exception {
        judge(id, List.of(box.subdirectory(id).toString()), List.of("/tmp"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"C-06"})
    void theOldRootIsOutOfReach(String id) throws Exception {
        Path directory = box.subdirectory(id);
        String marker = Files.writeString(directory.resolve("marker"), "marker").toString();
        judge(id, List.of(marker, directory.toString()), List.of(marker, "/tmp"));
    }

    /** This attempt comes through outside; here it is refused, kills the program, or lacks the process that it would need. */
    private static void judge(String id, List<String> outside, List<String> inside) throws Exception {
        ProbeTranscript control = box.outside(box.subdirectory(id), Map.of(), with(id, outside));
        assertThat(control.attempts())
                .as("the control")
                .anyMatch(attempt -> attempt.effect() == ProbeAttempt.Effect.ESCAPED);
        List<ProbeAttempt> attempts = inQemusPlace(with(id, inside));
        assertThat(attempts).allSatisfy(attempt -> {
            if (!QEMUS_OWN.contains(attempt.name())) {
                assertThat(attempt.effect()).as(attempt.describe()).isNotEqualTo(ProbeAttempt.Effect.ESCAPED);
            }
            if (attempt.effect() == ProbeAttempt.Effect.UNTRIED) {
                assertThat(attempt.text()).isEqualTo("fork: EPERM");
            }
        });
    }

    private static String[] with(String id, List<String> arguments) {
        List<String> all = new ArrayList<>(List.of(id));
        all.addAll(arguments);
        return all.toArray(String[]::new);
    }

    /** As QEMU is started, with the probes' program in a descriptor instead of the guest's memory. */
    private static List<ProbeAttempt> inQemusPlace(String... arguments) throws Exception {
        Kernel kernel = NativeParts.load().kernel();
        Path output = Files.createTempFile(folder, "said", ".json");
        List<Fd> descriptors = List.of(
                kernel.open(Path.of("/dev/null"), Set.of(OpenFlag.READ), 0),
                kernel.open(output, Set.of(OpenFlag.WRITE), 0),
                kernel.open(Path.of("/dev/null"), Set.of(OpenFlag.WRITE), 0),
                kernel.sealed("cordon-probes", NativeParts.load().probesProgram()));
        List<String> argv = new ArrayList<>(List.of(PROGRAM));
        argv.addAll(List.of(arguments));
        JobId id = new JobId("machine_" + arguments[0] + "_" + Integer.toHexString(Arrays.hashCode(arguments)));
        try (JailedProgram program = jails.qemu(
                QemuPlanner.plan(id, survey.facts(), argv, ByteSize.mib(256), 2, Optional.empty()), descriptors)) {
            String how = program.ended().get(ProbeBox.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            List<ProbeAttempt> attempts =
                    ProbeTranscript.of(Files.readString(output), 0).attempts();
            if (!how.equals(KILLED)) {
                assertThat(how).startsWith("exit code ");
                assertThat(attempts).isNotEmpty();
            }
            return attempts;
        }
    }
}
