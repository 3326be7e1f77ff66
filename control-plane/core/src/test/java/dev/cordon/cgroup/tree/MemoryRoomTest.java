package dev.cordon.cgroup.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryRoomTest {
    private static final long MIB = 1L << 20;

    @TempDir
    Path group;

    private void file(String name, String content) throws IOException {
        Files.writeString(group.resolve(name), content + "\n");
    }

    @Test
    void someOfTheLimitIsLeftFree() throws IOException {
        file("memory.max", "" + 64 * MIB);
        file("memory.current", "" + 20 * MIB);
        try (CounterFiles files = new CounterFiles(group)) {
            MemoryRoom room = MemoryRoom.unified(files);
            assertThat(room.fits(43 * MIB)).isTrue();
            assertThat(room.fits(43 * MIB + 1)).isFalse();
        }
    }

    @Test
    void whatTheKernelGivesUpIsRoom() throws IOException {
        file("memory.limit_in_bytes", "" + 64 * MIB);
        file("memory.usage_in_bytes", "" + 64 * MIB);
        file("memory.stat", "cache 1\nshmem 1\ninactive_file " + 10 * MIB + "\nactive_file " + 5 * MIB);
        try (CounterFiles files = new CounterFiles(group)) {
            MemoryRoom room = MemoryRoom.legacy(files);
            assertThat(room.fits(14 * MIB)).isTrue();
            assertThat(room.fits(14 * MIB + 1)).isFalse();
        }
    }

    @Test
    void smallLimitsLeaveLittleFree() throws IOException {
        file("memory.max", "" + 2 * MIB);
        file("memory.current", "" + MIB);
        try (CounterFiles files = new CounterFiles(group)) {
            MemoryRoom room = MemoryRoom.unified(files);
            assertThat(room.fits(MIB / 2)).isTrue();
        }
    }

    @Test
    void withoutALimitEverythingFits() throws IOException {
        try (CounterFiles files = new CounterFiles(group)) {
            MemoryRoom room = MemoryRoom.unified(files);
            assertThat(room.fits(Long.MAX_VALUE / 2)).isTrue();
        }
        file("memory.max", "max");
        file("memory.current", "" + MIB);
        try (CounterFiles files = new CounterFiles(group)) {
            MemoryRoom room = MemoryRoom.unified(files);
            assertThat(room.fits(Long.MAX_VALUE / 2)).isTrue();
        }
    }
}
