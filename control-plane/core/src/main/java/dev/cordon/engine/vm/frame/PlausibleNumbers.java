package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.bindings.wire.reply.Filed;
import dev.cordon.bindings.wire.reply.Reply;
import dev.cordon.bindings.wire.reply.Written;
import java.time.Duration;

/** Numbers that a supervisor would never send, but a guest may. They go into results and sums, so they are judged here. */
public final class PlausibleNumbers {
    private static final Duration CENTURY = Duration.ofDays(36_525);
    private static final long MOST = 1L << 50;
    private static final int MAX_ERRNO = 4095;

    private PlausibleNumbers() {}

    public static void check(Reply reply) throws HostileGuest {
        boolean plausible = switch (reply) {
            case Exited exited ->
                time(exited.wall())
                        && time(exited.user())
                        && time(exited.system())
                        && amount(exited.maxRssKib())
                        && amount(exited.blocksIn())
                        && amount(exited.blocksOut())
                        && errno(exited.error());
            case Filed filed -> amount(filed.bytes()) && errno(filed.error());
            case Written written -> amount(written.bytes()) && errno(written.error());
            default -> true;
        };
        if (!plausible) {
            throw new HostileGuest("a report is absurd: " + reply);
        }
    }

    private static boolean time(Duration duration) {
        return !duration.isNegative() && duration.compareTo(CENTURY) < 0;
    }

    private static boolean amount(long value) {
        return value >= 0 && value < MOST;
    }

    private static boolean errno(int value) {
        return value >= 0 && value <= MAX_ERRNO;
    }
}
