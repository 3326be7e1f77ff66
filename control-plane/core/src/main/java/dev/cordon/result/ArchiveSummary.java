package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;
import java.util.List;

/**
 * What went through an archive.
 *
 * @param files       regular files
 * @param directories directories
 * @param bytes       content of the files
 * @param skipped     what was left out and why, the first hundred: links, pipes, sockets, devices, and what vanished or changed its kind
 *                    while it was read
 * @param skips       how many were left out in all
 */
public record ArchiveSummary(long files, long directories, ByteSize bytes, List<String> skipped, long skips) {
    /** Copies the list. */
    public ArchiveSummary {
        skipped = List.copyOf(skipped);
    }
}
