package dev.cordon.plan.facts;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a job's host path is, links followed.
 *
 * @param kind         what it is
 * @param realPath     where it really is; the path itself when it is missing
 * @param uid          its owner
 * @param gid          its group
 * @param mode         its permission bits
 * @param bytes        its size
 * @param kernelMount  where a file system of the kernel's own is mounted that the path is in, or has below it; null: nowhere
 * @param privateAbove whether some directory above it keeps group and others out (0700), so that nobody else reaches what is put in it
 */
public record HostSource(
        Kind kind,
        Path realPath,
        long uid,
        long gid,
        int mode,
        long bytes,
        @Nullable String kernelMount,
        boolean privateAbove) {
    /** The kinds that are told apart. */
    public enum Kind {
        /** Nothing is there, or the control plane may not look at it. */
        MISSING,
        /** A regular file. */
        FILE,
        /** A directory. */
        DIRECTORY,
        /** A device, socket or pipe. */
        OTHER
    }

    /** Nothing is there. */
    public static HostSource missing(Path path) {
        return new HostSource(Kind.MISSING, path, -1, -1, 0, 0, null, false);
    }

    /** Whether a job that is neither owner nor group can read it, and list and enter it if it is a directory. */
    public boolean openToOthers() {
        int needed = kind == Kind.DIRECTORY ? 05 : 04;
        return (mode & needed) == needed;
    }
}
