package dev.cordon.selftest;

import dev.cordon.selftest.rig.ProbeVerdict;
import java.util.List;

/**
 * The results of all probes that were asked for.
 *
 * @param probes in the order of their ids
 */
public record SelftestReport(List<ProbeReport> probes) {
    /** Copies the list. */
    public SelftestReport {
        probes = List.copyOf(probes);
    }

    /** How many probes ended so. */
    public long count(ProbeVerdict verdict) {
        return probes.stream().filter(probe -> probe.verdict() == verdict).count();
    }

    /** Whether nothing came through. */
    public boolean passed() {
        return count(ProbeVerdict.ESCAPED) == 0;
    }
}
