package dev.cordon.job;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules for paths inside the jail. Whether a source exists is the host's matter and is judged with the plan. */
final class PathCheck {
    private static final int MAX_PATH = 4_000;
    private static final int MAX_MOUNTS = 128;
    private static final int MAX_FILES = 1_024;
    /** Cordon's own, or the host image's: a mount there would hide a layer or could not be made in a read-only tree. */
    private static final List<String> RESERVED = List.of(
            "/proc", "/dev", "/sys", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/libx32", "/lib64", "/.layer",
            "/.cover");

    /** What these files name is loaded into every program: ld.so(8), and that of musl. */
    private static final List<String> LOADER = List.of("/etc/ld.so.", "/etc/ld-musl-");

    private final List<FieldError> errors;

    PathCheck(List<FieldError> errors) {
        this.errors = errors;
    }

    void workdir(String directory) {
        if (!isAbsolute(directory) && !directory.equals("/")) {
            error(
                    "/workdir",
                    directory,
                    "is not an absolute, normalised path",
                    "use a path inside the jail, such as /workspace/src");
        }
    }

    void mounts(List<Mount> mounts) {
        if (mounts.size() > MAX_MOUNTS) {
            error("/mounts", mounts.size() + " mounts", "is more than " + MAX_MOUNTS, "mount a common parent instead");
        }
        for (int i = 0; i < mounts.size(); i++) {
            String pointer = "/mounts/" + i + "/target";
            String target = mounts.get(i).target();
            if (!isAbsolute(target)) {
                error(
                        pointer,
                        target,
                        "is not an absolute, normalised path",
                        "use a path inside the jail, such as /workspace/in");
                continue;
            }
            place(pointer, mounts.get(i));
            for (Mount earlier : mounts.subList(0, i)) {
                if (isBelow(target, earlier.target()) || isBelow(earlier.target(), target)) {
                    error(
                            pointer,
                            target,
                            "overlaps the mount on " + earlier.target(),
                            "mount each path once, beside the others");
                }
            }
        }
    }

    private void place(String pointer, Mount mount) {
        String target = mount.target();
        for (String reserved : RESERVED) {
            if (isBelow(target, reserved)) {
                error(
                        pointer,
                        target,
                        "is below " + reserved + ", which belongs to the jail",
                        "use a path such as /workspace/in or /opt/in");
            }
        }
        if (LOADER.stream().anyMatch(target::startsWith)) {
            error(
                    pointer,
                    target,
                    "says what is loaded into every program of the jail",
                    "mount libraries below a path such as /opt/lib and name it in LD_LIBRARY_PATH");
        }
        if (target.equals("/tmp") || target.equals("/etc")) {
            error(
                    pointer,
                    target,
                    "would hide the jail's own " + target,
                    "use a path below it, or such as /workspace/in");
        }
        if (target.equals("/workspace") && !mount.writable()) {
            error(pointer, target, "would make the workspace read-only", "use a path below it, such as /workspace/in");
        }
    }

    void files(List<WorkspaceFile> files) {
        if (files.size() > MAX_FILES) {
            error(
                    "/files",
                    files.size() + " files",
                    "is more than " + MAX_FILES,
                    "mount a directory read-only instead");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < files.size(); i++) {
            WorkspaceFile file = files.get(i);
            if (!isAbsolute("/" + file.path())) {
                error(
                        "/files/" + i + "/path",
                        file.path(),
                        "is not a normalised relative path",
                        "use a path below the workspace, such as in/a.csv");
            } else if (!seen.add(file.path())) {
                error("/files/" + i + "/path", file.path(), "is given twice", "give each file once");
            }
            if ((file.mode() & ~0777) != 0) {
                error(
                        "/files/" + i + "/mode",
                        Integer.toOctalString(file.mode()),
                        "is not within 0777",
                        "use permission bits such as 0644");
            }
        }
    }

    /** Absolute, not the root, without empty, {@code .} or {@code ..} elements, NUL or a slash at the end. */
    static boolean isAbsolute(String path) {
        if (!path.startsWith("/") || path.length() < 2 || path.length() > MAX_PATH || path.indexOf('\0') >= 0) {
            return false;
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            return false; // half a character is not a file's name
        }
        for (String element : path.substring(1).split("/", -1)) {
            if (element.isEmpty() || element.equals(".") || element.equals("..") || element.length() > 255) {
                return false;
            }
        }
        return true;
    }

    static boolean isBelow(String path, String parent) {
        return path.equals(parent) || path.startsWith(parent + "/");
    }

    private void error(String pointer, String value, String rule, String remedy) {
        errors.add(new FieldError(pointer, value, rule, remedy));
    }
}
