package dev.cordon.vm.archive;

/**
 * A member of a tar archive.
 *
 * @param path its name as written; bytes that are not UTF-8 are told as {@link dev.cordon.bindings.value.FileName} does
 * @param kind what it is
 * @param mode its permissions, at most 07777
 * @param uid  its owner; -1 when the archive has no number there
 * @param gid  its group; -1 when the archive has no number there
 * @param size its size; links and directories have no content, whatever it says
 * @param time when it was changed, in seconds since 1970
 * @param link where it points to; empty when it is not a link
 */
public record TarEntry(String path, Kind kind, int mode, long uid, long gid, long size, long time, String link) {
    private static final int MODE = 07777;

    /** The kinds of members. */
    public enum Kind {
        /** A regular file. */
        FILE,
        /** A directory. */
        DIRECTORY,
        /** A symbolic link. */
        SYMBOLIC_LINK,
        /** Another name of a member before it. */
        HARD_LINK,
        /** A device. */
        DEVICE,
        /** A named pipe. */
        PIPE
    }

    /** Checks the size and drops all but the bits of permissions. */
    public TarEntry {
        if (size < 0) {
            throw new IllegalArgumentException("an entry has " + size + " bytes");
        }
        mode &= MODE;
    }

    /** A file of the superuser. */
    public static TarEntry file(String path, long size, int mode, long time) {
        return new TarEntry(path, Kind.FILE, mode, 0, 0, size, time, "");
    }

    /** A directory of the superuser. */
    public static TarEntry directory(String path, int mode, long time) {
        return new TarEntry(path, Kind.DIRECTORY, mode, 0, 0, 0, time, "");
    }

    /** The member under another name. */
    public TarEntry named(String name) {
        return new TarEntry(name, kind, mode, uid, gid, size, time, link);
    }
}
