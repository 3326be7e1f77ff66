package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostCeilingsTest {
    @Test
    void theHostBoundsWhatTheOperatorDidNot() {
        Map<Limit, Long> ceilings = HostCeilings.around(
                Map.of(Limit.TIMEOUT, Limit.TIMEOUT.parse("2h")), 1 << 20, ByteSize.gib(8), ByteSize.gib(5), 4);
        assertThat(ceilings)
                .containsEntry(Limit.TIMEOUT, Limit.TIMEOUT.parse("2h"))
                .containsEntry(Limit.MEMORY, ByteSize.gib(4).bytes())
                .containsEntry(Limit.CPUS, Limit.CPUS.parse("4"))
                .containsEntry(Limit.OUTPUT, 1L << 20);
    }

    @Test
    void whatOneJobMayHaveFitsItsOwnersShare() {
        assertThat(HostCeilings.around(Map.of(), 1 << 20, ByteSize.gib(1), ByteSize.mib(432), 4))
                .containsEntry(Limit.MEMORY, ByteSize.mib(432).bytes());
        assertThat(HostCeilings.around(Map.of(), 1 << 20, ByteSize.gib(1), ByteSize.bytes(0), 4))
                .as("whoever is alone")
                .containsEntry(Limit.MEMORY, ByteSize.mib(512).bytes());
    }
}
