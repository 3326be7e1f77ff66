package dev.cordon.server.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What the host has left, also where it does not tell. */
class HostFiguresTest {
    @TempDir
    Path directory;

    @Test
    void whatTheHostTellsAddsUp() {
        ObjectNode host = HostFigures.of(directory);
        assertThat(host.path("cpus").asInt()).isPositive();
        assertThat(host.path("load_1m").asDouble()).isNotNegative();
        assertThat(host.path("memory_available_bytes").asLong())
                .isBetween(1L, host.path("memory_bytes").asLong());
        assertThat(host.path("disk_free_bytes").asLong())
                .isBetween(0L, host.path("disk_bytes").asLong());
    }

    @Test
    void whatItDoesNotTellIsNull() {
        ObjectNode host = HostFigures.of(directory.resolve("missing"));
        assertThat(host.path("disk_bytes").isNull()).isTrue();
        assertThat(host.path("disk_free_bytes").isNull()).isTrue();
        assertThat(HostFigures.load("")).isNull();
        assertThat(HostFigures.load("many 0.1")).isNull();
        assertThat(HostFigures.kibibytes("MemFree: 1 kB", "MemTotal:")).isNull();
        assertThat(HostFigures.kibibytes("MemTotal: lots kB", "MemTotal:")).isNull();
    }

    @Test
    void theFilesAreReadInTheirUnits() {
        assertThat(HostFigures.load("1.25 0.50 0.10 2/300 17\n")).isEqualTo(1.25);
        assertThat(HostFigures.kibibytes("MemTotal:       4 kB\nMemFree: 1 kB\n", "MemTotal:"))
                .isEqualTo(4096L);
    }
}
