package dev.cordon.flow;

import dev.cordon.audit.file.Sha256Hex;
import dev.cordon.engine.FileAccess;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileContent;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Artifact;
import dev.cordon.result.FileEntry;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects files of a sandbox for its caller, by descriptors that its init hands out: no path of a job is resolved outside, no link is
 * followed, regular files only. Everything is bounded, time included, because the job decides what there is; what is over a bound, has a
 * name that is not plain text, cannot be read, or is not taken by its listener is left out, and the result says so.
 */
final class ArtifactCollector {
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactCollector.class);

    static final int MOST_FILES = 100;
    static final ByteSize MOST_BYTES = ByteSize.mib(64);

    private static final int MOST_ENTRIES = 10_000;
    private static final int MOST_DEPTH = 32;
    private static final int LONGEST_PATH = 512;
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PIECE = 64 << 10;

    /** Large files are in memory whole until their listener has taken them: few at a time in this process. */
    private static final long LARGE = ByteSize.mib(1).bytes();

    private static final Semaphore ROOM_FOR_LARGE =
            new Semaphore((int) Math.max(1, Runtime.getRuntime().maxMemory() / 8 / MOST_BYTES.bytes()), true);

    private final FileAccess files;
    private final String workspace;
    private final PathPatterns wanted;
    private final OutputListener listener;
    private final List<Artifact> collected = new ArrayList<>();
    private long deadline = System.nanoTime() + TIME.toNanos();
    private long bytes;
    private int entries;
    private boolean truncated;

    private ArtifactCollector(FileAccess files, String workspace, PathPatterns wanted, OutputListener listener) {
        this.files = files;
        this.workspace = workspace;
        this.wanted = wanted;
        this.listener = listener;
    }

    /** Collects what patterns name; the listener hears the content. */
    static Result collect(
            Result ended, FileAccess files, String workspace, List<String> globs, OutputListener listener) {
        ArtifactCollector collector = new ArtifactCollector(files, workspace, new PathPatterns(globs), listener);
        collector.directory("", 0);
        return ended.collected(new Result.Collected(collector.collected, collector.truncated));
    }

    /** Whether to look no further; then nobody knows what else there is. */
    private boolean over() {
        boolean over = entries >= MOST_ENTRIES || System.nanoTime() > deadline;
        truncated |= over;
        return over;
    }

    private void directory(String path, int depth) {
        List<String> below = new ArrayList<>();
        try (DirectoryListing listing = files.list(path.isEmpty() ? workspace : workspace + "/" + path)) {
            for (List<FileEntry> some = listing.next(); !some.isEmpty() && !over(); some = listing.next()) {
                for (FileEntry entry : some) {
                    String name = path.isEmpty() ? entry.name() : path + "/" + entry.name();
                    entries++;
                    boolean odd = name.length() > LONGEST_PATH
                            || !FileEntry.display(name).equals(name);
                    if (entry.kind() == FileEntry.Kind.DIRECTORY && depth < MOST_DEPTH && !odd) {
                        below.add(name);
                    } else if (entry.kind() == FileEntry.Kind.DIRECTORY) {
                        truncated = true;
                    } else if (entry.kind() == FileEntry.Kind.FILE && wanted.match(name)) {
                        if (odd || collected.size() >= MOST_FILES || over()) {
                            truncated = true;
                        } else {
                            file(name);
                        }
                    }
                }
            }
        } catch (IOException gone) {
            truncated = true;
            return;
        }
        for (String next : below) {
            if (over()) {
                return;
            }
            directory(next, depth + 1);
        }
    }

    private void file(String path) {
        try (FileContent source = files.read(workspace + "/" + path)) {
            long size = source.size();
            if (size > MOST_BYTES.bytes() - bytes) {
                truncated = true;
                return;
            }
            if (size <= LARGE) {
                collect(path, source);
                return;
            }
            long asked = System.nanoTime();
            if (!ROOM_FOR_LARGE.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                truncated = true;
                return;
            }
            try {
                deadline += System.nanoTime() - asked; // the time that others took is not this job's
                collect(path, source);
            } finally {
                ROOM_FOR_LARGE.release();
            }
        } catch (IOException unreadable) {
            truncated = true;
        } catch (InterruptedException e) {
            truncated = true;
            Thread.currentThread().interrupt();
        }
    }

    private void collect(String path, FileContent source) throws IOException {
        byte[] content = content(source);
        bytes += content.length;
        Artifact artifact = new Artifact(path, ByteSize.bytes(content.length), Sha256Hex.of(content));
        try {
            listener.artifact(artifact, content);
        } catch (RuntimeException e) {
            LOG.warn("a collected file could not be kept: {}", e.toString());
            truncated = true;
            return;
        }
        collected.add(artifact);
    }

    /** A machine's guest that sends byte by byte would hold up everybody's large files. */
    private byte[] content(FileContent source) throws IOException {
        byte[] content = new byte[Math.toIntExact(source.size())];
        int length = 0;
        while (length < content.length) {
            int count = source.read(content, length, Math.min(PIECE, content.length - length));
            if (count < 0) {
                return Arrays.copyOf(content, length);
            }
            length += count;
            if (System.nanoTime() > deadline) {
                throw new IOException("it took too long");
            }
        }
        return content;
    }
}
