package dev.cordon.interpreter;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.DurationFormat;
import java.time.Duration;

/**
 * What one run may take. The sandbox's limits hold beside them; its own time limit, the operator's ceilings and a rule of the policy may
 * lower time and output.
 *
 * @param timeout  wall-clock time; the code is interrupted then, and killed when that does not end it
 * @param output   bytes kept of each output stream; the rest is counted
 * @param displays bytes of pictures and tables; those that do not fit are counted
 */
public record RunLimits(Duration timeout, ByteSize output, ByteSize displays) {
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final ByteSize MOST = ByteSize.mib(64);

    /** Checks the ranges. */
    public RunLimits {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("timeout: " + DurationFormat.format(timeout)
                    + " is not above 0 and at most " + DurationFormat.format(LONGEST) + "; try 30s");
        }
        check("output", output);
        check("displays", displays);
    }

    private static void check(String name, ByteSize size) {
        if (size.bytes() > MOST.bytes()) {
            throw new IllegalArgumentException(name + ": " + size + " is more than " + MOST + "; try 1M");
        }
    }

    /** 30 seconds, 1 MiB of each stream, 8 MiB of displays. */
    public static RunLimits standard() {
        return new RunLimits(Duration.ofSeconds(30), ByteSize.mib(1), ByteSize.mib(8));
    }

    /** These limits with another time. */
    public RunLimits timeout(Duration time) {
        return new RunLimits(time, output, displays);
    }

    /** These limits with other room for output. */
    public RunLimits output(ByteSize size) {
        return new RunLimits(timeout, size, displays);
    }
}
