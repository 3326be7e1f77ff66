package dev.cordon.cgroup;

import dev.cordon.files.IoErrno;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.util.Set;

/**
 * The kernel refused a step on a cgroup. Names the step, the file, the value and the errno; the job that needed the
 * step does not run.
 */
public final class CgroupException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

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
        String text = IoErrno.text(cause);
        String errno = IoErrno.of(cause);
        return new CgroupException(step, file, value, errno, errno.isEmpty() ? text : errno + ", " + text, cause);
    }

    /** The kernel took the value and then shows another one. */
    public static CgroupException notTaken(Path file, String value, String shown) {
        return new CgroupException(
                "set", file, value, "", "wrote " + value + ", the kernel shows " + shown, new IOException(shown));
    }

    /** The cgroup is a virtual machine's, which says what went wrong. */
    public static CgroupException inMachine(String text) {
        return new CgroupException("freeze", Path.of("cgroup.freeze"), "", "", text, new IOException(text));
    }

    /** A state that was asked for did not come in time. */
    public static CgroupException late(String state, Path file, long millis) {
        String text = "not " + state + " after " + millis + " ms";
        return new CgroupException("wait for", file, state, "ETIMEDOUT", text, new IOException(text));
    }

    /** The file or directory. */
    public Path file() {
        return Path.of(file);
    }

    /** What was to be written; empty when the step was not a write. */
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
    public boolean absent() {
        return errno.equals("ENOENT") || errno.equals("ENODEV");
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
