package dev.cordon.cgroup;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * The kernel refused a step on a cgroup. Names the step, the file, the value and the errno; the job that needed the
 * step does not run.
 */
public final class CgroupException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** What strerror(3) calls the errors that cgroup files give: the JDK reports the text, not the number. */
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
            Map.entry("Numerical result out of range", "ERANGE"),
            Map.entry("Directory not empty", "ENOTEMPTY"),
            Map.entry("Operation not supported", "EOPNOTSUPP"));

    private static final Set<String> NO_ROOM = Set.of("ENOSPC", "EAGAIN", "ENOMEM", "EMFILE", "ENFILE");

    private final String file;
    private final String value;
    private final String errno;

    private CgroupException(String step, Path file, String value, String errno, String text, Throwable cause) {
        super("cgroup: could not " + step + " " + file + ": " + text + remedy(errno), cause);
        this.file = file.toString();
        this.value = value;
        this.errno = errno;
    }

    static CgroupException of(String step, Path file, String value, IOException cause) {
        String text = text(cause);
        String errno = ERRNO.getOrDefault(text, "");
        return new CgroupException(step, file, value, errno, errno.isEmpty() ? text : errno + ", " + text, cause);
    }

    /** The kernel took the value and then shows another one. */
    static CgroupException notTaken(Path file, String value, String shown) {
        return new CgroupException(
                "set", file, value, "", "wrote " + value + ", the kernel shows " + shown, new IOException(shown));
    }

    /** The cgroup is a virtual machine's, which says what went wrong. */
    public static CgroupException inMachine(String text) {
        return new CgroupException("freeze", Path.of("cgroup.freeze"), "", "", text, new IOException(text));
    }

    /** A state that was asked for did not come in time. */
    static CgroupException late(String state, Path file, long millis) {
        String text = "not " + state + " after " + millis + " ms";
        return new CgroupException("wait for", file, state, "ETIMEDOUT", text, new IOException(text));
    }

    /** The file or directory. */
    public Path file() {
        return Path.of(file);
    }

    /** What was to be written; empty when the step was no write. */
    public String value() {
        return value;
    }

    /** The name of the errno, as {@code EINVAL}; empty when it is not known. */
    public String errno() {
        return errno;
    }

    /** Whether the host has no room for another cgroup now: a later attempt may succeed. */
    public boolean exhausted() {
        return NO_ROOM.contains(errno);
    }

    /** Whether something was not there, or was being removed meanwhile (ENODEV). */
    boolean absent() {
        return errno.equals("ENOENT") || errno.equals("ENODEV");
    }

    private static String text(IOException cause) {
        return switch (cause) {
            case NoSuchFileException absent -> "No such file or directory";
            case AccessDeniedException denied -> "Permission denied";
            case FileAlreadyExistsException present -> "File exists";
            case DirectoryNotEmptyException full -> "Directory not empty";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(cause.getMessage());
        };
    }

    private static String remedy(String errno) {
        return switch (errno) {
            case "ENOSPC", "EAGAIN", "ENOMEM" ->
                "; the kernel allows no more cgroups here: end unused ones or raise cgroup.max.descendants of the"
                        + " parents";
            case "EACCES", "EPERM", "EROFS" ->
                "; this user may not change it: run as root or in a unit with Delegate=yes (cordon doctor)";
            case "EBUSY" -> "; processes that are not Cordon's sit in this cgroup: give Cordon a unit of its own";
            default -> "";
        };
    }
}
