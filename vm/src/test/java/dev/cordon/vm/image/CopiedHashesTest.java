package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CopiedHashesTest {
    private final CopiedHashes later = new CopiedHashes(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(1)));
    private int reads;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("model"), "first");
    }

    private CopiedTree.CopiedFile copied() throws IOException {
        PosixFileAttributes facts = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return new CopiedTree.CopiedFile(file, facts, () -> {
            reads++;
            return new ByteArrayInputStream(Files.readString(file).getBytes(StandardCharsets.UTF_8));
        });
    }

    @Test
    void aFileIsReadOnceUntilItChanges() throws IOException {
        String first = later.of(copied());
        assertThat(later.of(copied())).isEqualTo(first);
        assertThat(reads).isEqualTo(1);
        FileTime modified = Files.getLastModifiedTime(file);
        Object changed = Files.getAttribute(file, "unix:ctime");
        do { // until the kernel's clock has ticked
            Files.writeString(file, "other");
            Files.setLastModifiedTime(file, modified);
        } while (Files.getAttribute(file, "unix:ctime").equals(changed));
        assertThat(later.of(copied())).isNotEqualTo(first);
        assertThat(reads).isEqualTo(2);
    }

    /** Another change within the same tick of the clock would leave no trace. */
    @Test
    void aFileThatHasJustChangedIsReadAgain() throws IOException {
        CopiedHashes now = new CopiedHashes(Clock.systemUTC());
        assertThat(now.of(copied())).isEqualTo(now.of(copied()));
        assertThat(reads).isEqualTo(2);
    }
}
