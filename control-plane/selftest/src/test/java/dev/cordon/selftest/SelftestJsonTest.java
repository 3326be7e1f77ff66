package dev.cordon.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.selftest.rig.ProbeVerdict;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SelftestJsonTest {
    @Test
    void countsAndListsTheProbes() {
        SelftestReport report = new SelftestReport(List.of(
                new ProbeReport("A-01", "descriptors", ProbeVerdict.DENIED, "1 attempt refused"),
                new ProbeReport("B-11", "holes", ProbeVerdict.NOT_APPLICABLE, "a \"reason\""),
                new ProbeReport("C-01", "/proc", ProbeVerdict.ESCAPED, "read /proc/keys")));
        assertThat(report.passed()).isFalse();
        assertThat(SelftestJson.of(report))
                .isEqualTo(
                        "{\"summary\":{\"denied\":1,\"not_applicable\":1,\"escaped\":1},\"probes\":[{\"id\":\"A-01\",\"title\":\"descriptors\",\"verdict\":\"denied\",\"detail\":\"1"
                            + " attempt"
                            + " refused\"},{\"id\":\"B-11\",\"title\":\"holes\",\"verdict\":\"not_applicable\",\"detail\":\"a"
                            + " \\\"reason\\\"\"},{\"id\":\"C-01\",\"title\":\"/proc\",\"verdict\":\"escaped\",\"detail\":\"read"
                            + " /proc/keys\"}]}");
    }
}
