package dev.cordon.selftest.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.Cordon;
import dev.cordon.bindings.NativeParts;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.selftest.ProbeCatalogue;
import dev.cordon.selftest.rig.ProbeAttempt.Effect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** These probes under bubblewrap: whatever it refuses, Cordon refuses as well. */
@Tag("jail")
@Tag("asUser")
final class BwrapComparisonJailTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    @OpenCordon
    private static Cordon cordon;

    private static ProbeBox box;

    @BeforeAll
    static void open() throws IOException {
        assumeTrue(Files.isExecutable(BWRAP), "bubblewrap is not installed");
        box = ProbeBox.open(cordon, NativeParts.load().probesProgram());
    }

    @AfterAll
    static void close() throws IOException {
        if (box != null) {
            box.close();
        }
    }

    static Stream<Named<PlainProbe>> probes() {
        return ProbeCatalogue.all().stream()
                .filter(PlainProbe.class::isInstance)
                .map(probe -> Named.of(probe.id(), (PlainProbe) probe));
    }

    @ParameterizedTest
    @MethodSource("probes")
    void whatBwrapRefusesCordonRefuses(PlainProbe probe) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(probe.id()));
        arguments.addAll(probe.inside());
        ProbeTranscript theirs = bwrap(arguments);
        assertThat(theirs.failure()).isEmpty();
        ProbeTranscript ours =
                ProbeTranscript.of(box.inside(probe.tuning().apply(box.job(arguments.toArray(String[]::new)))));
        Set<String> refused = names(theirs, Effect.DENIED);
        refused.removeAll(names(theirs, Effect.ESCAPED));
        refused.removeAll(names(ours, Effect.DENIED));
        assertThat(refused).as("refused by bubblewrap, not by Cordon").isEmpty();
        assertThat(names(ours, Effect.ESCAPED)).isEmpty();
    }

    private static Set<String> names(ProbeTranscript transcript, Effect effect) {
        return transcript.attempts().stream()
                .filter(attempt -> attempt.effect() == effect)
                .map(ProbeAttempt::name)
                .collect(Collectors.toSet());
    }

    private static ProbeTranscript bwrap(List<String> arguments) throws IOException, InterruptedException {
        Path program = Path.of(box.command().getFirst());
        List<String> command = new ArrayList<>(List.of(BWRAP.toString(), "--unshare-all", "--die-with-parent"));
        command.addAll(
                List.of("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"));
        command.addAll(
                List.of("--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
        command.addAll(
                List.of("--tmpfs", "/workspace", "--chdir", "/workspace", "--ro-bind", program.toString(), "/probe"));
        command.addAll(List.of("--", "/probe"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(false).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return ProbeTranscript.of(output, process.waitFor());
    }
}
