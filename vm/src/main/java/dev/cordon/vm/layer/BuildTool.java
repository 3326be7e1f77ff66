package dev.cordon.vm.layer;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program of the distribution that does a step of a build. It never asks, gets a small environment, and is ended with everything that it
 * started when the step is interrupted or takes too long.
 */
public final class BuildTool {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final int LINES_KEPT = 12;
    private static final List<String> PLACES =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

    /** Packages of Debian, by program. */
    private static final Map<String, String> PACKAGES = Map.ofEntries(
            Map.entry("mksquashfs", "squashfs-tools"),
            Map.entry("unsquashfs", "squashfs-tools"),
            Map.entry("unshare", "util-linux"),
            Map.entry("dpkg-deb", "dpkg"),
            Map.entry("apt-get", "apt"),
            Map.entry("apt-cache", "apt"),
            Map.entry("apt-config", "apt"));

    private BuildTool() {}

    private static boolean isThere(String name) {
        return PLACES.stream().anyMatch(place -> Files.isExecutable(Path.of(place, name)));
    }

    /** Checks that all of them are there, and names every missing one at once. */
    public static void require(String... names) throws ImageProblem {
        List<String> missing = Stream.of(names).filter(name -> !isThere(name)).toList();
        if (!missing.isEmpty()) {
            throw new ImageProblem(
                    "building an image needs " + String.join(", ", missing),
                    "as root: apt-get install --no-install-recommends "
                            + String.join(
                                    " ",
                                    missing.stream()
                                            .map(name -> PACKAGES.getOrDefault(name, name))
                                            .sorted()
                                            .distinct()
                                            .toList()));
        }
    }

    /** Runs a program and hands each of its lines on. */
    public static void run(Path directory, @Nullable Path input, Consumer<String> lines, String... command)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(input == null ? new File("/dev/null") : input.toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", String.join(":", PLACES));
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("TMPDIR", directory.toString());
        environment.put("DEBIAN_FRONTEND", "noninteractive");
        environment.put("HOME", directory.toString());
        Process process = builder.start();
        Thread watchdog = Thread.ofVirtual().start(() -> watch(process));
        Deque<String> last = new ArrayDeque<>();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(line);
                last.addLast(line);
                if (last.size() > LINES_KEPT) {
                    last.removeFirst();
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException(command[0] + " was interrupted");
                }
            }
            int code = process.waitFor();
            if (code != 0) {
                throw failed(command[0], code, String.join("\n", last));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(command[0] + " was interrupted");
        } finally {
            end(process);
            watchdog.interrupt();
        }
    }

    /** Runs a program without input and returns what it says. */
    public static List<String> run(Path directory, String... command) throws IOException {
        List<String> lines = new ArrayList<>();
        run(directory, null, lines::add, command);
        return lines;
    }

    private static ImageProblem failed(String program, int code, String said) {
        return new ImageProblem(
                program + " ended with code " + code + ", and said:\n" + said,
                "mend what it complains of, then try again; where the disk is full, make room; where a package is not"
                        + " found, apt-get update helps");
    }

    private static void watch(Process process) {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                end(process);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
