package dev.cordon.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A control plane process, named so that nothing else ever has the same name: a process id alone is used again.
 *
 * @param boot the first eight digits of the kernel's boot id
 * @param pidNamespace the inode of the pid namespace that the process id is valid in
 * @param pid the process id
 * @param startTicks when the process started, in clock ticks since boot
 */
public record ControlPlaneName(String boot, long pidNamespace, long pid, long startTicks) {

    private static final int BOOT_DIGITS = 8;
    private static final Path PROC = Path.of("/proc");

    /** Refuses what could not be a file name's part. */
    public ControlPlaneName {
        if (!boot.matches("[0-9a-f]{8}") || pidNamespace < 0 || pid < 1 || startTicks < 0) {
            throw new IllegalArgumentException("no owner: " + boot + "-" + pidNamespace + "-" + pid + "-" + startTicks);
        }
    }

    /** This process. */
    public static ControlPlaneName current() throws IOException {
        return of(ProcessHandle.current().pid());
    }

    /** A process of this pid namespace that is running now. */
    public static ControlPlaneName of(long pid) throws IOException {
        String boot = Files.readString(PROC.resolve("sys/kernel/random/boot_id"), StandardCharsets.US_ASCII);
        String namespace = Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
        return new ControlPlaneName(
                boot.substring(0, BOOT_DIGITS),
                Long.parseLong(namespace.replaceAll("[^0-9]", "")),
                pid,
                Stat.of(pid).startTicks());
    }

    /** The name of a job of this owner. */
    public JobName job(int slot, String job) {
        return new JobName(this, slot, job);
    }

    /** What this process can say about another one. */
    public Life judge(ControlPlaneName other) {
        if (!other.boot.equals(boot)) {
            return Life.DEAD;
        }
        if (other.pidNamespace != pidNamespace) {
            return Life.UNKNOWN;
        }
        try {
            Stat found = Stat.of(other.pid);
            return found.startTicks() == other.startTicks && !found.dead() ? Life.ALIVE : Life.DEAD;
        } catch (IOException gone) {
            return Life.DEAD;
        }
    }

    /** Whether an owner still runs. */
    public enum Life {
        ALIVE,
        DEAD,
        /** It lives in another pid namespace, where its process id means something else. */
        UNKNOWN
    }

    /** What is needed of /proc/pid/stat, see proc_pid_stat(5). */
    private record Stat(char state, long threads, long startTicks) {

        static Stat of(long pid) throws IOException {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The command in parentheses may hold anything, parentheses and blanks among it: fields count from the
            // last.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return new Stat(fields[0].charAt(0), Long.parseLong(fields[17]), Long.parseLong(fields[19]));
        }

        /** A zombie that nobody reaps. While threads remain, it is only its first thread that has ended. */
        boolean dead() {
            return (state == 'Z' || state == 'X') && threads <= 1;
        }
    }
}
