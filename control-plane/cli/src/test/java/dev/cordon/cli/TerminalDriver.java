package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Somebody who sits at a real terminal; {@code terminal.py} tells what the steps mean. */
public final class TerminalDriver {

    private TerminalDriver() {}

    /** The command line as a word of a shell's line. */
    public static String cordon() {
        return CordonProcess.of().command().stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
    }

    public static List<String> session(
            Path folder, Map<String, String> environment, List<String> steps, String... words) throws Exception {
        Path script = folder.resolve("terminal.py");
        try (InputStream resource = TerminalDriver.class.getResourceAsStream("terminal.py")) {
            assertThat(resource).isNotNull();
            Files.write(script, resource.readAllBytes());
        }
        Path plan = folder.resolve("steps");
        Files.write(plan, steps);
        List<String> line = new ArrayList<>(List.of("python3", script.toString(), plan.toString()));
        line.addAll(CordonProcess.of(words).command());
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("TERM", "xterm");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }
}
