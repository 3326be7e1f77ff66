package dev.cordon.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How dangerous a job looks before it runs, and why.
 *
 * @param score  the sum of the shares
 * @param shares what each signal adds, in the order of {@link RiskSignal}
 * @param vm     from this score on a job belongs into a virtual machine; null for never
 * @param deny   from this score on it is denied; null for never
 */
public record Risk(
        int score,
        List<Share> shares,
        @Nullable Integer vm,
        @Nullable Integer deny) {
    /** Nothing was weighed. */
    public static final Risk NONE = new Risk(0, List.of(), null, null);

    /**
     * One signal's part.
     *
     * @param signal what was seen
     * @param points what it adds
     * @param why    in words
     */
    public record Share(RiskSignal signal, int points, String why) {}

    /** Copies the shares. */
    public Risk {
        shares = List.copyOf(shares);
    }

    /** Whether the score is one for a virtual machine. */
    public boolean wantsVm() {
        return vm != null && score >= vm;
    }

    /** Whether the score is too high for any level. */
    public boolean tooHigh() {
        return deny != null && score >= deny;
    }

    /** One line for people. */
    public String text() {
        StringBuilder text = new StringBuilder("risk ").append(score);
        if (!shares.isEmpty()) {
            text.append(" = ");
            text.append(String.join(
                    " + ",
                    shares.stream()
                            .map(share -> share.points() + " " + share.signal().key())
                            .toList()));
        }
        text.append(vm == null ? "; no score leads to a virtual machine" : "; a virtual machine from " + vm);
        return deny == null ? text.toString() : text + ", denied from " + deny;
    }
}
