package dev.cordon.vm.image;

/**
 * The header of a member of a tar archive.
 *
 * @param path the member's name, as written
 * @param kind what it is
 * @param mode its permissions
 * @param uid  its owner
 * @param gid  its group
 * @param size the bytes of content that follow
 * @param time its modification time in seconds
 * @param link where it points to; empty when it is no link
 */
record TarEntry(String path, Kind kind, int mode, long uid, long gid, long size, long time, String link) {
    /** The kinds of members. */
    enum Kind {
        FILE,
        DIRECTORY,
        SYMBOLIC_LINK,
        HARD_LINK,
        /** A device, a pipe, or what no file system of an image may hold. */
        SPECIAL
    }
}
