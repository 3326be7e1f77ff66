package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;

/**
 * How much an archive may bring.
 *
 * @param entries files and directories
 * @param bytes   content of all files together
 */
public record ArchiveLimits(long entries, ByteSize bytes) {
    private static final long ENTRIES = 200_000;

    /** Checks that both are above zero. */
    public ArchiveLimits {
        if (entries < 1 || bytes.bytes() < 1) {
            throw new IllegalArgumentException(
                    "an archive may bring at least one entry and one byte, not " + entries + " and " + bytes);
        }
    }

    /** 200,000 entries and 4 GiB; the sandbox's own limits hold besides. */
    public static ArchiveLimits defaults() {
        return new ArchiveLimits(ENTRIES, ByteSize.gib(4));
    }
}
