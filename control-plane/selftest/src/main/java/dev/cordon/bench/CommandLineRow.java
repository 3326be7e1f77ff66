package dev.cordon.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** The whole process of {@code cordon run -- true}, beside a JVM that only says its version. */
final class CommandLineRow {
    /** Set by the launcher to its own path. */
    static final String LAUNCHER = "cordon.launcher";

    private static final String MAIN = "dev.cordon.cli.Main";

    private CommandLineRow() {}

    static BenchRow row(int rounds) throws Exception {
        try {
            return measured(rounds);
        } catch (BenchFailed e) {
            return row(OptionalDouble.empty(), OptionalDouble.empty(), "not measured: " + e.getMessage());
        }
    }

    private static BenchRow measured(int rounds) throws Exception {
        List<String> ours = run();
        String java =
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString();
        ContenderRace race = new ContenderRace(
                List.of(new ProgramContender("cordon", ours), new ProgramContender("java", List.of(java, "-version"))));
        race.warmUp(1, Duration.ofMinutes(1));
        List<StartTimings> starts = race.run(1, rounds, 1);
        return row(
                OptionalDouble.of(starts.getFirst().latency().median()),
                OptionalDouble.of(starts.getLast().latency().median()),
                "whole processes, " + rounds + " of each in turns; "
                        + (System.getProperty(LAUNCHER) == null ? "without" : "with") + " the launcher");
    }

    private static BenchRow row(OptionalDouble ours, OptionalDouble java, String note) {
        return new BenchRow("cordon run -- true", "ms", ours, "java -version", java, PromisedBar.atMost(8), note);
    }

    /** As this program was started itself, with other arguments. */
    private static List<String> run() throws IOException {
        List<String> command = new ArrayList<>();
        String launcher = System.getProperty(LAUNCHER);
        if (launcher != null) {
            command.add(launcher);
        } else {
            String own = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.UTF_8);
            List<String> words = Arrays.asList(own.split("\0"));
            int main = 0;
            while (main < words.size() && !words.get(main).endsWith(MAIN)) {
                main++;
            }
            if (main == words.size()) {
                throw new BenchFailed("this JVM was not started as the command line");
            }
            command.addAll(words.subList(0, main + 1));
            command.set(
                    0,
                    Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
        }
        command.addAll(List.of("run", "--", RivalPrograms.TRUE));
        return command;
    }
}
