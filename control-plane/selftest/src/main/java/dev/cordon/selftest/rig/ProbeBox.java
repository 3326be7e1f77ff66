package dev.cordon.selftest.rig;

import dev.cordon.Cordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.result.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Where the probes of one run work: the probes' program, a directory that nobody else can enter (a control as root makes a setuid file in
 * it), and the Cordon that is tested. Owns the directory; the Cordon stays the caller's.
 */
public final class ProbeBox implements AutoCloseable {
    /** Where a job finds the program. */
    static final String INSIDE = "/opt/cordon-selftest";

    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PROGRAM = "cordon-probes";

    private final Cordon cordon;
    private final Path directory;
    private final Path programs;

    private ProbeBox(Cordon cordon, Path directory) {
        this.cordon = cordon;
        this.directory = directory;
        this.programs = directory.resolve("programs");
    }

    /** A bench with this program. */
    public static ProbeBox open(Cordon cordon, byte[] program) throws IOException {
        ProbeBox box = new ProbeBox(cordon, Files.createTempDirectory("cordon-selftest"));
        Path file = box.subdirectory("programs").resolve(PROGRAM);
        Files.write(file, program);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return box;
    }

    /** A directory for one probe, open to jobs that are shown it. */
    public Path subdirectory(String name) throws IOException {
        Path made = Files.createDirectories(directory.resolve(name));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        return made;
    }

    /** A job that is a probe, or plays one of the program's roles. */
    public Job job(String... arguments) {
        List<String> argv = new ArrayList<>(List.of(INSIDE + "/" + PROGRAM));
        argv.addAll(List.of(arguments));
        return Job.argv(argv)
                .readOnly(programs, INSIDE)
                .isolation(Isolation.JAIL)
                .timeout(PATIENCE);
    }

    /** Runs a probe inside. */
    public Result inside(Job job) {
        return cordon.run(job);
    }

    /** Whether this process is root. */
    public boolean root() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    /** The Cordon under test. */
    public Cordon cordon() {
        return cordon;
    }

    /** The command line of a plain process. */
    public List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(programs.resolve(PROGRAM).toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Runs a probe with the same arguments outside and inside. The first of them is its id. */
    public ProbeFinding compare(String... arguments) throws IOException, InterruptedException {
        ProbeTranscript control = control(arguments);
        return ControlComparison.of(control, ProbeTranscript.of(inside(job(arguments))));
    }

    /** Runs a probe outside, as the control, in its own directory and without an environment. */
    public ProbeTranscript control(String... arguments) throws IOException, InterruptedException {
        return outside(subdirectory(arguments[0]), Map.of(), arguments);
    }

    /** Runs a probe outside, as the control. Its output goes to a file: a process that it leaves behind holds nothing up. */
    public ProbeTranscript outside(Path workingDirectory, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(command("--control"));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(directory, "control", ".json");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(workingDirectory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            return new ProbeTranscript(List.of(), Optional.of("it did not end within " + PATIENCE.toSeconds() + " s"));
        }
        return ProbeTranscript.of(Files.readString(output), process.exitValue());
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
