package dev.cordon.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Map;

/**
 * The errno of the JDK's exceptions. They tell the text of strerror(3) and not the number: this is the one place that reads a message to
 * find out what happened.
 */
public final class IoErrno {
    private static final Map<String, String> ERRNO = Map.ofEntries(
            Map.entry("Operation not permitted", "EPERM"),
            Map.entry("No such file or directory", "ENOENT"),
            Map.entry("No such process", "ESRCH"),
            Map.entry("Input/output error", "EIO"),
            Map.entry("No such device or address", "ENXIO"),
            Map.entry("Resource temporarily unavailable", "EAGAIN"),
            Map.entry("Cannot allocate memory", "ENOMEM"),
            Map.entry("Permission denied", "EACCES"),
            Map.entry("Device or resource busy", "EBUSY"),
            Map.entry("File exists", "EEXIST"),
            Map.entry("No such device", "ENODEV"),
            Map.entry("Not a directory", "ENOTDIR"),
            Map.entry("Invalid argument", "EINVAL"),
            Map.entry("Too many open files in system", "ENFILE"),
            Map.entry("Too many open files", "EMFILE"),
            Map.entry("No space left on device", "ENOSPC"),
            Map.entry("Read-only file system", "EROFS"),
            Map.entry("Broken pipe", "EPIPE"),
            Map.entry("Numerical result out of range", "ERANGE"),
            Map.entry("Directory not empty", "ENOTEMPTY"),
            Map.entry("Operation not supported", "EOPNOTSUPP"));

    private IoErrno() {}

    /** The name, such as {@code EMFILE}; empty when the text is none that is known here. */
    public static String of(IOException problem) {
        return ERRNO.getOrDefault(text(problem), "");
    }

    /** What the kernel's answer is called. */
    public static String text(IOException problem) {
        return switch (problem) {
            case NoSuchFileException absent -> "No such file or directory";
            case AccessDeniedException denied -> "Permission denied";
            case FileAlreadyExistsException present -> "File exists";
            case DirectoryNotEmptyException full -> "Directory not empty";
            case FileNotFoundException streams -> bracketed(String.valueOf(streams.getMessage()));
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(problem.getMessage());
        };
    }

    /** {@code java.io} writes the path before it: "a/b (Too many open files)". */
    private static String bracketed(String message) {
        int begin = message.lastIndexOf('(');
        return begin < 0 || !message.endsWith(")") ? message : message.substring(begin + 1, message.length() - 1);
    }
}
