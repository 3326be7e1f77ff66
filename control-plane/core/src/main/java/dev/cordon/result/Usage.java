package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a job took. What the host cannot tell is null.
 *
 * @param wall         from start to end
 * @param userCpu      CPU time outside of the kernel
 * @param systemCpu    CPU time inside of the kernel
 * @param peakMemory   the most memory at one time
 * @param bytesRead    read from storage
 * @param bytesWritten written to storage
 * @param pidsPeak     the most processes and threads at one time
 */
public record Usage(
        Duration wall,
        Duration userCpu,
        Duration systemCpu,
        @Nullable ByteSize peakMemory,
        @Nullable ByteSize bytesRead,
        @Nullable ByteSize bytesWritten,
        @Nullable Long pidsPeak) {

    /** The usage of a job that never started. */
    public static Usage none() {
        return new Usage(Duration.ZERO, Duration.ZERO, Duration.ZERO, null, null, null, null);
    }

    /** What two runs took together, one after the other. */
    public Usage plus(Usage other) {
        return new Usage(
                wall.plus(other.wall),
                userCpu.plus(other.userCpu),
                systemCpu.plus(other.systemCpu),
                larger(peakMemory, other.peakMemory),
                sum(bytesRead, other.bytesRead),
                sum(bytesWritten, other.bytesWritten),
                pidsPeak == null || (other.pidsPeak != null && other.pidsPeak > pidsPeak) ? other.pidsPeak : pidsPeak);
    }

    private static @Nullable ByteSize larger(@Nullable ByteSize a, @Nullable ByteSize b) {
        return a == null || (b != null && b.bytes() > a.bytes()) ? b : a;
    }

    private static @Nullable ByteSize sum(@Nullable ByteSize a, @Nullable ByteSize b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return ByteSize.bytes(a.bytes() + b.bytes());
    }

    /** User and system time together. */
    public Duration cpu() {
        return userCpu.plus(systemCpu);
    }
}
