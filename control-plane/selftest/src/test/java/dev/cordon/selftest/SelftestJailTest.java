package dev.cordon.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.selftest.rig.ProbeVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole escape suite on the host of the tests. */
@Tag("jail")
@Tag("asUser")
final class SelftestJailTest {
    /** Not tried by the suite, accepted, or not to be had without root and a cgroup; anything else has to be denied. */
    private static final Set<String> MAY_NOT_APPLY =
            Set.of("A-10", "B-11", "C-03", "C-04", "C-05", "C-11", "D-18", "E-03");

    @Test
    void nothingGetsOut() throws Exception {
        List<ProbeReport> heard = Collections.synchronizedList(new ArrayList<>());
        SelftestReport report;
        try (Cordon cordon = Cordon.open()) {
            report = Selftest.run(cordon, SelftestOptions.all(), heard::add);
        }
        assertThat(report.probes())
                .filteredOn(probe -> probe.verdict() == ProbeVerdict.ESCAPED)
                .isEmpty();
        assertThat(report.passed()).isTrue();
        Set<String> notApplicable = report.probes().stream()
                .filter(probe -> probe.verdict() == ProbeVerdict.NOT_APPLICABLE)
                .map(ProbeReport::id)
                .collect(Collectors.toSet());
        assertThat(MAY_NOT_APPLY).containsAll(notApplicable);
        assertThat(report.probes().stream().map(ProbeReport::id)).isEqualTo(Selftest.ids());
        assertThat(heard).containsExactlyInAnyOrderElementsOf(report.probes());
    }
}
