package dev.cordon.policy.rule;

import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Trust;
import dev.cordon.policy.Risk;
import dev.cordon.policy.RiskSignal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How signals are weighed.
 *
 * @param weights   points that differ from the signals' own; 0 turns one off
 * @param vm        from this score on a job belongs into a virtual machine; null for never
 * @param deny      from this score on it is denied; null for never
 * @param largeCode code with more bytes is large
 */
public record RiskModel(
        Map<RiskSignal, Integer> weights,
        @Nullable Integer vm,
        @Nullable Integer deny,
        long largeCode) {
    /** The weights of the signals themselves. */
    public static final RiskModel STANDARD = new RiskModel(Map.of(), 80, null, 256 << 10);

    private static final int MOST_POINTS = 1000;

    /** Copies and checks the weights. */
    public RiskModel {
        weights = Map.copyOf(weights);
        if (weights.values().stream().anyMatch(points -> points < 0 || points > MOST_POINTS)) {
            throw new IllegalArgumentException("a weight is between 0 and " + MOST_POINTS);
        }
    }

    Risk weigh(JobSpec job, JobFacts facts, boolean known, List<String> patterns) {
        Map<RiskSignal, String> seen = new EnumMap<>(RiskSignal.class);
        if (job.origin().trust() == Trust.UNTRUSTED) {
            seen.put(RiskSignal.UNTRUSTED, "the caller calls the code untrusted");
        } else if (job.origin().trust() == Trust.STANDARD) {
            seen.put(RiskSignal.UNSPECIFIED_TRUST, "nobody vouches for the code");
        }
        if (!known) {
            seen.put(RiskSignal.UNKNOWN_OWNER, job.origin().owner() + " is not among the known owners");
        }
        if (!facts.network().equals("none")) {
            seen.put(RiskSignal.NETWORK, "the network is asked for: " + facts.network());
        }
        if (!facts.binaries().isEmpty()) {
            seen.put(RiskSignal.NATIVE_BINARY, "native code among its files: " + String.join(", ", facts.binaries()));
        }
        String hiding = ObfuscationCheck.sign(facts.code());
        if (hiding != null) {
            seen.put(RiskSignal.OBFUSCATED, "the code has " + hiding);
        }
        if (facts.codeBytes() > largeCode) {
            seen.put(RiskSignal.LARGE_CODE, facts.codeBytes() + " bytes of code, more than " + largeCode);
        }
        if (job.containment().profile() instanceof ProfileRef.FromFile file) {
            seen.put(RiskSignal.SYSTEM_CALLS, "a filter of its own, " + file.file() + ", may allow more than Cordon's");
        } else if (job.containment().profile().equals(new ProfileRef.Named("debug"))) {
            seen.put(RiskSignal.SYSTEM_CALLS, "the profile debug allows tracing");
        }
        if (facts.recentViolations() > 0) {
            seen.put(RiskSignal.RECENT_VIOLATIONS, facts.recentViolations() + " violations of this owner lately");
        }
        if (!patterns.isEmpty()) {
            seen.put(
                    RiskSignal.PATTERN,
                    "contains " + String.join(", ", patterns) + " (advisory: a pattern is not a boundary)");
        }
        if (job.containment().mounts().stream().anyMatch(Mount::writable)) {
            seen.put(RiskSignal.WRITABLE_MOUNT, "a directory of the host is writable");
        }
        List<Risk.Share> shares = new ArrayList<>();
        seen.forEach((signal, why) -> {
            int points = weights.getOrDefault(signal, signal.points());
            if (points > 0) {
                shares.add(new Risk.Share(signal, points, why));
            }
        });
        return new Risk(shares.stream().mapToInt(Risk.Share::points).sum(), shares, vm, deny);
    }
}
