package dev.cordon.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Stages a built tree of the Linux Test Project, boots the guest and prints the table of {@link KnownHoles}. */
final class KnownHolesInGuest {
    private static final String ROOTLIKE = """
        int getuid(void) { return 0; }
        int geteuid(void) { return 0; }
        """;

    private KnownHolesInGuest() {}

    /** Arguments: a directory for what comes back, and the built tree. */
    public static void main(String[] arguments) throws Exception {
        Path results = Path.of(arguments[0]);
        Path tree = Path.of(arguments[1]);
        TestGuest guest = TestGuest.ofThisTree();
        String missing = guest.missing();
        if (!missing.isEmpty()) {
            System.err.println("the test guest needs what this machine lacks: " + missing);
            System.exit(69);
        }
        guest.build();
        Path staged = Files.createTempDirectory("cordon-guest");
        int code;
        try {
            Payload payload = Payload.stage(staged);
            payload.train(guest.runtime());
            stage(tree, staged.resolve("ltp"));
            String command =
                    "exec " + payload.java(KnownHoles.class.getName() + " ltp /opt/results/holes.tsv") + " 2>&1";
            code = guest.run(payload, new TestGuest.Order("root", "service", command), results, true);
        } finally {
            Payload.remove(staged);
        }
        Files.copy(results.resolve("holes.tsv"), System.out);
        System.exit(code);
    }

    private static void stage(Path tree, Path target) throws IOException, InterruptedException {
        Path bin = Files.createDirectories(target.resolve("bin"));
        Path lib = Files.createDirectories(target.resolve("lib"));
        Path list = tree.resolve("runtest/cve");
        Files.copy(list, target.resolve("list"));
        Map<String, Path> programs = programs(tree.resolve("testcases").toRealPath());
        for (String line : Files.readAllLines(list)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String name = line.split("\\s+", 3)[1];
            Path program = programs.get(name);
            if (program == null) {
                throw new IOException(name + " is not built below " + tree + "; run make there");
            }
            copy(program, bin.resolve(name));
            Path child = programs.get(name + "_child");
            if (child != null) {
                copy(child, bin.resolve(name + "_child"));
            }
        }
        for (Map.Entry<String, Path> entry : programs.entrySet()) {
            if (entry.getValue().startsWith(tree.resolve("testcases/lib").toRealPath())
                    && entry.getKey().startsWith("tst_")) {
                copy(entry.getValue(), bin.resolve(entry.getKey()));
            }
        }
        libraries(bin, lib);
        compile(lib.resolve("rootlike.so"));
    }

    private static void copy(Path from, Path to) throws IOException {
        if (!Files.exists(to)) {
            Files.copy(from, to);
        }
    }

    private static Map<String, Path> programs(Path below) throws IOException {
        Map<String, Path> found = new HashMap<>();
        try (Stream<Path> files = Files.walk(below)) {
            files.filter(file -> (Files.isRegularFile(file) && Files.isExecutable(file))
                            || file.toString().endsWith(".sh"))
                    .forEach(file -> found.putIfAbsent(file.getFileName().toString(), file));
        }
        return found;
    }

    /** Those that a plain guest lacks. */
    private static void libraries(Path bin, Path lib) throws IOException, InterruptedException {
        try (Stream<Path> programs = Files.list(bin)) {
            for (Path program : programs.toList()) {
                Process ldd = new ProcessBuilder("ldd", program.toString())
                        .redirectErrorStream(true)
                        .start();
                for (String line : ldd.inputReader().lines().toList()) {
                    String[] parts = line.strip().split(" ", -1);
                    if (parts.length > 2 && parts[1].equals("=>") && !parts[0].startsWith("libc.")) {
                        copy(Path.of(parts[2]), lib.resolve(parts[0]));
                    }
                }
                ldd.waitFor();
            }
        }
    }

    private static void compile(Path library) throws IOException, InterruptedException {
        List<String> command = List.of("cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library.toString());
        Process cc = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var source = cc.getOutputStream()) {
            source.write(ROOTLIKE.getBytes(StandardCharsets.UTF_8));
        }
        if (cc.waitFor() != 0) {
            throw new IOException("the compiler refused the program that poses as root");
        }
    }
}
