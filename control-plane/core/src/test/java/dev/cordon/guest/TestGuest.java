package dev.cordon.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The machine of vm/testguest, built into a cache and booted on order. */
final class TestGuest {
    /** Under emulation beside other work everything takes many times as long as alone; these only end what hangs. */
    private static final int SUITE_SECONDS = 40 * 60;

    private static final int BOOT_SECONDS = 10 * 60;

    /** Fifty jobs of 64 MiB at once, and the rest. QEMU takes what the guest touches. */
    private static final int MEMORY_MIB = 4096;

    private final Path script;
    private final Path cache;

    private TestGuest(Path script, Path cache) {
        this.script = script;
        this.cache = cache;
    }

    /**
     * Whom the guest runs a command for.
     *
     * @param user root or tester
     * @param unit service for a system service, user for one of the user's own manager
     */
    record Order(String user, String unit, String command) {}

    static TestGuest ofThisTree() {
        return new TestGuest(
                Path.of(Payload.property("cordon.root"), "vm/testguest/testguest"), cache(System.getenv()));
    }

    private static Path cache(Map<String, String> environment) {
        String chosen = environment.getOrDefault("CORDON_TEST_CACHE", "");
        if (!chosen.isEmpty()) {
            return Path.of(chosen).toAbsolutePath();
        }
        String shared = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = shared.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(shared);
        return base.resolve("cordon/testguest").toAbsolutePath();
    }

    /** What this machine lacks for it, with remedies; empty when nothing does. */
    String missing() throws IOException, InterruptedException {
        Process doctor = new ProcessBuilder(script.toString(), "doctor")
                .redirectErrorStream(true)
                .start();
        String missing = doctor.inputReader()
                .lines()
                .filter(line -> !line.startsWith("ok "))
                .collect(Collectors.joining("; "));
        return doctor.waitFor() == 0 ? "" : missing;
    }

    /** Builds what the cache lacks: the guest, and a runtime of the JDK that this process runs on. */
    void build() throws IOException, InterruptedException {
        List<String> command = List.of(
                script.toString(), "build", "--cache", cache.toString(), "--jdk", System.getProperty("java.home"));
        int code = run(command, 30);
        if (code != 0) {
            throw new IOException("the test guest could not be built (code " + code + "); see the output above");
        }
    }

    /** The guest's Java runtime, as a directory of this machine. */
    Path runtime() throws IOException {
        return cache.resolve("jdk/runtime").toRealPath();
    }

    /**
     * Boots the guest and carries out the order.
     *
     * @param talk    whether to show the guest's console as it comes; it is kept in any case
     * @param results where its files arrive: emptied first
     * @return the command's exit code
     * @throws IOException when the guest itself failed
     */
    int run(Payload payload, Order order, Path results, boolean talk) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(script.toString(), "run"));
        command.addAll(List.of("--cache", cache.toString()));
        command.addAll(List.of("--payload", payload.directory().toString()));
        command.addAll(List.of("--results", results.toString()));
        command.addAll(List.of("--user", order.user(), "--unit", order.unit(), "--command", order.command()));
        command.addAll(List.of("--timeout", Integer.toString(SUITE_SECONDS)));
        command.addAll(List.of("--boot-timeout", Integer.toString(BOOT_SECONDS)));
        command.addAll(List.of("--memory", Integer.toString(MEMORY_MIB)));
        if (talk) {
            command.add("--verbose");
        }
        Files.createDirectories(results);
        int code = run(command, 90);
        if (!Files.exists(results.resolve("exit-code"))) {
            throw new IOException(
                    "the guest failed (code " + code + "); its console is in " + results.resolve("console.log"));
        }
        return code;
    }

    private static int run(List<String> command, long minutes) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
                throw new IOException(command.get(1) + " of the test guest did not end within " + minutes + " minutes");
            }
            return process.exitValue();
        } finally {
            // The script ends what it started when it is asked to end.
            process.destroy();
        }
    }
}
