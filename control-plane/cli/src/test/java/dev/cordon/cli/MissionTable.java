package dev.cordon.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs every row of what the project was asked for, as a user would, and prints what of it works. A row says itself what is missing, and
 * shows that, too: the exit code is 1 when a row does less, or more, than it says. Arguments: the numbers of rows; none for all.
 */
final class MissionTable {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root"));
    private static final Pattern HEAD = Pattern.compile("\\[(\\d+)] (.+)");
    private static final List<String> HELPERS = List.of("mail.toml", "docker_save.py", "reading_only.py");
    private static final int MOST_MINUTES = 20;

    /** What a row says of itself. */
    enum State {
        WORKS,
        PARTLY,
        MISSING
    }

    record Row(int number, String title, State state, String reason, List<String> lines) {}

    private record Ran(boolean fits, String command, String said) {}

    private final Path work;
    private final Map<String, String> environment;

    private MissionTable(Path work) throws IOException {
        this.work = work;
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path cache = Path.of(
                System.getenv().getOrDefault("CORDON_TEST_CACHE", System.getProperty("user.home") + "/.cache/cordon"));
        Files.writeString(work.resolve("cordon.toml"), """
            [paths]
            state = "%s"
            [vm]
            allow_emulated = true
            """.formatted(cache.resolve("mission")));
        Path programs = Files.createDirectory(work.resolve("bin"));
        Path cordon = Files.writeString(
                programs.resolve("cordon"), "#!/bin/sh\nexec " + TerminalDriver.cordon() + " \"$@\"\n");
        Files.setPosixFilePermissions(cordon, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path mission = Files.createDirectory(work.resolve("mission"));
        for (String helper : HELPERS) {
            try (InputStream content = MissionTable.class.getResourceAsStream("mission/" + helper)) {
                Files.copy(requireNonNull(content), mission.resolve(helper));
            }
        }
        Files.createDirectory(work.resolve("images"));
        environment = Map.of(
                "PATH", programs + ":" + System.getenv("PATH"),
                "CORDON_CONFIG", work.resolve("cordon.toml").toString(),
                "CORDON_HOST", "none",
                "MISSION", mission.toString(),
                "PROFILES", ROOT.resolve("seccomp-profiles").toString(),
                "DOCS", ROOT.resolve("docs").toString(),
                "ORDINARY", "54321:54321");
    }

    public static void main(String[] arguments) throws Exception {
        Set<Integer> wanted = Stream.of(arguments).map(Integer::valueOf).collect(Collectors.toSet());
        Path work = Files.createTempDirectory("mission");
        boolean fits = new MissionTable(work)
                .print(rows().stream()
                        .filter(row -> wanted.isEmpty() || wanted.contains(row.number()))
                        .toList());
        new ProcessBuilder("rm", "-rf", work.toString()).inheritIO().start().waitFor();
        System.exit(fits ? 0 : 1);
    }

    static List<Row> rows() throws IOException {
        List<String> lines;
        try (InputStream table = MissionTable.class.getResourceAsStream("mission.txt")) {
            lines = new String(requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher head = HEAD.matcher(lines.get(i));
            if (head.matches()) {
                String[] says = lines.get(i + 1).split(": ", 2);
                List<String> commands = new ArrayList<>();
                for (int next = i + 2; next < lines.size() && !lines.get(next).isEmpty(); next++) {
                    String line = lines.get(next);
                    if (line.startsWith("$ ")) {
                        commands.add(line.substring(2));
                    } else {
                        commands.set(commands.size() - 1, commands.getLast() + "\n" + line);
                    }
                }
                rows.add(new Row(
                        Integer.parseInt(head.group(1)),
                        head.group(2),
                        State.valueOf(says[0].toUpperCase(Locale.ROOT)),
                        says.length > 1 ? says[1] : "",
                        commands));
            }
        }
        return rows;
    }

    private boolean print(List<Row> rows) throws Exception {
        Map<State, Integer> counts = new EnumMap<>(State.class);
        int wrong = 0;
        for (Row row : rows) {
            Ran ran = run(row);
            counts.merge(row.state(), 1, Integer::sum);
            String state = ran.fits() ? row.state().name().toLowerCase(Locale.ROOT) : "WRONG";
            System.out.printf("%-8s %2d  %s%n", state, row.number(), row.title());
            if (!row.reason().isEmpty()) {
                System.out.printf("             %s%n", row.reason());
            }
            System.out.printf("             $ %s%n", ran.command());
            if (!ran.fits()) {
                wrong++;
                System.out.println(ran.said().strip().indent(15).stripTrailing());
            }
        }
        System.out.printf(
                "%d rows: %d work, %d partly, %d missing; %d are not as they say%n",
                rows.size(),
                counts.getOrDefault(State.WORKS, 0),
                counts.getOrDefault(State.PARTLY, 0),
                counts.getOrDefault(State.MISSING, 0),
                wrong);
        return wrong == 0;
    }

    /** All lines of a row; the first that fails, else the first. */
    private Ran run(Row row) throws IOException, InterruptedException {
        for (String line : row.lines()) {
            Path said = work.resolve("said");
            ProcessBuilder builder = new ProcessBuilder("sh", "-c", line)
                    .directory(work.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)) {
                process.destroy();
                return new Ran(false, line, "did not end within " + MOST_MINUTES + " minutes");
            }
            if (process.exitValue() != 0) {
                return new Ran(false, line, "exit " + process.exitValue() + "\n" + Files.readString(said));
            }
        }
        return new Ran(true, row.lines().getFirst(), "");
    }
}
