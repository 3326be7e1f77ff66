package dev.cordon.doctor;

import dev.cordon.job.limit.ByteSize;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What running for long needs: room on the disk, memory for the JVM, a clock that is right, and a socket that is private.
 *
 * @param files of the host
 * @param room  what the disk of the state directory has left
 * @param now   what the clock says
 */
record OperationChecks(HostFiles files, DiskRoom room, Instant now) {

    /** Where the package's service listens. */
    static final String SOCKET = "/run/cordon/service/cordon.sock";

    private static final long LITTLE_ROOM = ByteSize.mib(1024).bytes();
    /** A record takes kilobytes, and who cannot write one refuses jobs by itself. */
    private static final long NO_ROOM = ByteSize.mib(1).bytes();

    private static final String TIMESYNC = "/run/systemd/timesync/synchronized";

    /** When this was written: an earlier time is a clock that was never set. */
    private static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");

    private static final int OTHERS = 07;

    /** Eight jobs with the default limits of processes and open files. */
    private static final long FEW_FILES = 8 * 256 * 1024L;

    /** What the supervisor gives to a job: see native/src/jail/oom.c. */
    private static final long JOBS_SCORE = 500;

    List<HostCheck> run() {
        return List.of(disk(), heap(Runtime.getRuntime().maxMemory()), openFiles(), oomScore(), clock(), socket());
    }

    private HostCheck disk() {
        CheckSubject subject = new CheckSubject("disk", "a job whose decision and end cannot be recorded is refused");
        String place = " on the disk of " + room.directory();
        if (room.bytes() < 0) {
            return subject.info("what is left" + place + " is not known");
        }
        String found = ByteSize.bytes(room.bytes()) + " left" + place;
        String remedy = "make room, or move paths.state to another disk; audit.keep, server.keep_jobs and"
                + " server.keep_output bound what is kept";
        if (room.bytes() < NO_ROOM) {
            return subject.fail(found, remedy);
        }
        return room.bytes() < LITTLE_ROOM ? subject.warn(found, remedy) : subject.pass(found);
    }

    /** A job has an eighth of them at most, a busy host has many jobs. */
    private HostCheck openFiles() {
        CheckSubject subject = new CheckSubject(
                "open_files",
                "all processes of the host share them; when they are used up nobody but root can open anything");
        OptionalLong most = files.number("/proc/sys/fs/file-max");
        if (most.isEmpty()) {
            return subject.info("fs.file-max is not known");
        }
        if (most.getAsLong() < FEW_FILES) {
            return subject.warn(
                    "fs.file-max = " + most.getAsLong() + ", of which one job may have an eighth",
                    "sysctl -w fs.file-max=9223372036854775807, as systemd sets it: memory limits bound it then");
        }
        return subject.pass("fs.file-max = " + most.getAsLong());
    }

    /** Jobs have 500, or what Cordon itself has where that is more. */
    private HostCheck oomScore() {
        CheckSubject subject = new CheckSubject(
                "oom_score",
                "when the host is out of memory the kernel ends jobs before Cordon, whose end would be that of all"
                        + " jobs");
        OptionalLong own = files.number("/proc/self/oom_score_adj");
        if (own.isEmpty()) {
            return subject.info("what this process has is not known");
        }
        String found = "this process has " + own.getAsLong() + ", jobs have " + Math.max(JOBS_SCORE, own.getAsLong());
        return own.getAsLong() < JOBS_SCORE
                ? subject.pass(found)
                : subject.warn(found, "set OOMScoreAdjust= of the unit, or choom -n 0 -p PID, below " + JOBS_SCORE);
    }

    /** The machine's memory is what jobs and their files live in, too. */
    HostCheck heap(long most) {
        CheckSubject subject = new CheckSubject(
                "jvm_heap",
                "a JVM that may take most of the memory leaves none to jobs, and the kernel may choose to end it");
        OptionalLong memory = memory();
        if (memory.isEmpty()) {
            return subject.info("at most " + ByteSize.bytes(most) + " of a memory that is not known");
        }
        String found = "at most " + ByteSize.bytes(most) + " of " + ByteSize.bytes(memory.getAsLong());
        return most > memory.getAsLong() / 4 * 3
                ? subject.warn(found, "start java with a smaller -Xmx, such as -Xmx1g")
                : subject.pass(found);
    }

    private OptionalLong memory() {
        Optional<String> total = files.field("/proc/meminfo", "MemTotal");
        return total.isPresent() && total.get().matches("\\d{1,15} kB")
                ? OptionalLong.of(1024
                        * Long.parseLong(total.get().substring(0, total.get().length() - 3)))
                : OptionalLong.empty();
    }

    private HostCheck clock() {
        CheckSubject subject = new CheckSubject(
                "clock",
                "limits are held by a clock that never jumps, but the times of the audit log and of tokens are"
                        + " this one's");
        String remedy = "timedatectl set-ntp true, or run another time service";
        if (now.isBefore(WRITTEN)) {
            return subject.warn("says " + now + ", which is long over: it was never set", remedy);
        }
        return files.exists(TIMESYNC)
                ? subject.pass("kept right by systemd-timesyncd")
                : subject.info("says " + now + "; whether anything keeps it right is not known");
    }

    /** Whoever may open the socket runs jobs without a token. */
    private HostCheck socket() {
        CheckSubject subject = new CheckSubject(
                "socket", "whoever can open the service's socket runs jobs without a token: root and the group cordon");
        OptionalLong mode = files.mode(SOCKET);
        if (mode.isEmpty()) {
            return subject.info("no service of the package listens here");
        }
        String found = "%s has the mode %04o".formatted(SOCKET, mode.getAsLong() & 07777);
        return (mode.getAsLong() & OTHERS) == 0
                ? subject.pass(found)
                : subject.warn(found, "chmod o= " + SOCKET + ", and systemctl restart cordon");
    }
}
