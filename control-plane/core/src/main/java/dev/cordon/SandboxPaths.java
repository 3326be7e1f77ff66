package dev.cordon;

import dev.cordon.bindings.value.FileName;
import dev.cordon.result.FileEntry;

/**
 * The paths that callers use for a sandbox's files, and those that its processes use.
 *
 * @param workspace what /workspace is called inside
 * @param temporary whether there is a /tmp of the sandbox's own
 */
record SandboxPaths(String workspace, boolean temporary) {
    private static final String WORKSPACE = "/workspace";
    private static final String TMP = "/tmp";
    private static final int MOST_NAME = 255;

    /** The path inside; checked, so that no part of it means something else. */
    String inside(String path) throws SandboxFileException {
        String absolute =
                path.startsWith("/") ? path : path.isEmpty() || path.equals(".") ? WORKSPACE : WORKSPACE + "/" + path;
        if (absolute.endsWith("/") && absolute.length() > 1) {
            absolute = absolute.substring(0, absolute.length() - 1);
        }
        for (String part : absolute.substring(1).split("/", -1)) {
            check(path, part);
        }
        if (isBelow(absolute, WORKSPACE)) {
            return workspace + absolute.substring(WORKSPACE.length());
        }
        if (temporary && isBelow(absolute, TMP)) {
            return absolute;
        }
        throw new SandboxFileException(
                path,
                "",
                "is not below /workspace" + (temporary ? " or /tmp" : "")
                        + "; files are taken from there and put there");
    }

    private static void check(String path, String part) throws SandboxFileException {
        if (part.isEmpty() || part.equals(".") || part.equals("..")) {
            throw new SandboxFileException(path, "", "has an empty, '.' or '..' part; name the place itself");
        }
        try {
            if (FileName.encode(part).length > MOST_NAME) {
                throw new SandboxFileException(
                        path, "ENAMETOOLONG", "has a part of more than 255 bytes; use shorter names");
            }
        } catch (IllegalArgumentException e) {
            throw new SandboxFileException(path, "", "is not a file name: " + e.getMessage());
        }
    }

    private static boolean isBelow(String path, String parent) {
        return path.equals(parent) || path.startsWith(parent + "/");
    }

    /** The workspace itself stays: it is a mount of the sandbox's. */
    void requireBelow(String path, String inside) throws SandboxFileException {
        if (inside.equals(workspace) || inside.equals(TMP)) {
            throw new SandboxFileException(path, "", "is the sandbox's own and stays; delete what is in it");
        }
    }

    FileEntry outside(FileEntry entry) {
        if (workspace.equals(WORKSPACE) || !isBelow(entry.path(), workspace)) {
            return entry;
        }
        String path = WORKSPACE + entry.path().substring(workspace.length());
        return new FileEntry(path, entry.kind(), entry.size(), entry.modified(), entry.mode());
    }
}
