package dev.cordon.api;

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

    /** User and system time together. */
    public Duration cpu() {
        return userCpu.plus(systemCpu);
    }
}
