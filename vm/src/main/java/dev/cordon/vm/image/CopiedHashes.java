package dev.cordon.vm.image;

import dev.cordon.vm.layer.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of copied files, kept while the files are as the kernel knew them: large ones are not read for every job. A file that has just
 * changed is not kept, because a further change could come within the same tick of the kernel's clock.
 */
final class CopiedHashes {
    private static final int MOST = 10_000;
    private static final Duration TICK = Duration.ofSeconds(2);

    /** A file and its state. */
    private record Known(Path path, @Nullable Object inode, long bytes, FileTime modified, FileTime changed) {}

    private final Clock clock;
    private final Map<Known, String> hashes = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Known, String> eldest) {
            return size() > MOST;
        }
    };

    CopiedHashes(Clock clock) {
        this.clock = clock;
    }

    /** The hash of a file's content. */
    String of(CopiedTree.CopiedFile file) throws IOException {
        FileTime changed = (FileTime) Files.getAttribute(file.path(), "unix:ctime", LinkOption.NOFOLLOW_LINKS);
        Known known = new Known(
                file.path(),
                file.facts().fileKey(),
                file.facts().size(),
                file.facts().lastModifiedTime(),
                changed);
        String hash = found(known);
        if (hash == null) {
            Instant now = clock.instant();
            try (InputStream content = file.content().open()) {
                hash = ContentHash.of(content);
            }
            if (changed.toInstant().plus(TICK).isBefore(now)) {
                keep(known, hash);
            }
        }
        return hash;
    }

    private synchronized @Nullable String found(Known known) {
        return hashes.get(known);
    }

    private synchronized void keep(Known known, String hash) {
        hashes.put(known, hash);
    }
}
