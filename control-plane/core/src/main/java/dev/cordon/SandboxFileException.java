package dev.cordon;

import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.result.FileEntry;
import java.io.IOException;

/** Something could not be done with a file of a sandbox. The message names the file, what the kernel said and what helps. */
public final class SandboxFileException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String error;

    SandboxFileException(String path, String error, String problem) {
        super(FileEntry.display(path) + " " + problem);
        this.path = path;
        this.error = error;
    }

    static SandboxFileException of(String path, IOException problem) {
        if (problem instanceof SandboxFileException known) {
            return known;
        }
        SandboxFileException made = problem instanceof ErrnoException refused
                ? new SandboxFileException(path, refused.errnoName(), meaning(refused.errno()))
                : new SandboxFileException(path, "", "failed: " + problem.getMessage());
        made.initCause(problem);
        return made;
    }

    private static String meaning(int errno) {
        return switch (errno) {
            case Errno.ENOENT -> "is not there";
            case Errno.ELOOP ->
                "is or lies behind a symbolic link, which is never followed; name the place that it leads to";
            case Errno.EINVAL, Errno.ENXIO -> "is not a regular file; pipes, sockets and devices are not opened";
            case Errno.EISDIR -> "is a directory; list it, or take it as an archive";
            case Errno.ENOTDIR -> "is or lies below something that is not a directory";
            case Errno.EACCES, Errno.EPERM -> "is closed to the sandbox's user by its permissions";
            case Errno.EROFS -> "is read-only; /workspace and /tmp are not";
            case Errno.ENOSPC ->
                "did not fit: the sandbox's disk or file limit is reached; delete something, or open a"
                        + " sandbox with more";
            case Errno.ENOMEM ->
                "did not fit: the sandbox's memory limit is reached, which files in it count against; delete"
                        + " something, or open a sandbox with more memory";
            case Errno.EMFILE -> "is one too many: a sandbox takes 64 files at one time; close some, or try again";
            case Errno.EEXIST -> "is there already, and is something else";
            case Errno.ENAMETOOLONG -> "has a name or a path that is too long (255 and 4095 bytes)";
            default -> "failed with " + Errno.name(errno);
        };
    }

    /** The path inside the sandbox. */
    public String path() {
        return path;
    }

    /** What the kernel said, such as {@code ENOENT}; empty when it was not the kernel. */
    public String error() {
        return error;
    }
}
