package dev.cordon.engine;

import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.job.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the tests of real sandboxes share: payloads whose end is known, and a look at what is left on the host. */
public final class Sandboxes {
    static final String PAYLOAD = "/opt/payload";

    private Sandboxes() {}

    /** A job of the payload program. */
    static Job payload(String... arguments) {
        List<String> argv = new ArrayList<>(List.of(PAYLOAD));
        argv.addAll(List.of(arguments));
        return Job.argv(argv).readOnly(payloadProgram(), PAYLOAD);
    }

    static Path payloadProgram() {
        return Path.of(required("cordon.test.probes"), "payload");
    }

    public static Path faultySupervisor() {
        return Path.of(required("cordon.test.supervisor.faults"));
    }

    private static String required(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new IllegalStateException("start the tests with -D" + property + " (./gradlew does)");
        }
        return value;
    }

    static boolean root() {
        return uid() == 0;
    }

    static int uid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the kernel holds a limit for whole jobs on this host. */
    static boolean holds(WholeJobLimit bound) {
        try (CgroupHost host = CgroupHost.open()) {
            return host.enforced().holds(bound);
        }
    }

    /** Host processes whose command line has this text. */
    static List<Long> processesWith(String text) {
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process.pid()).contains(text))
                .map(ProcessHandle::pid)
                .toList();
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"));
        } catch (IOException e) {
            return "";
        }
    }

    /** Supervisors that this process started and that have not ended. */
    public static long supervisors() {
        return ProcessHandle.current()
                .children()
                .filter(child -> commandLine(child.pid()).startsWith("cordon-supervisor"))
                .count();
    }

    /** Whether a process is the supervisor of a sandbox that has a process with this text in its command line. */
    static boolean supervisesProcessWith(long pid, String text) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .anyMatch(process -> commandLine(process.pid()).contains(text));
    }

    public static long openDescriptors() {
        return entries(Path.of("/proc/self/fd"));
    }

    public static long mounts() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long entries(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        } catch (IOException e) {
            return 0;
        }
    }
}
