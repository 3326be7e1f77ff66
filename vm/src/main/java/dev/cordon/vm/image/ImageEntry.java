package dev.cordon.vm.image;

/**
 * A file of an image, as lstat would tell.
 *
 * @param kind   what it is
 * @param mode   its permissions
 * @param target where a link points to; empty for anything else
 */
public record ImageEntry(Kind kind, int mode, String target) {
    /** The kinds of files. */
    public enum Kind {
        /** A directory. */
        DIRECTORY,
        /** A regular file. */
        FILE,
        /** A symbolic link. */
        LINK,
        /** Anything else. */
        OTHER
    }
}
