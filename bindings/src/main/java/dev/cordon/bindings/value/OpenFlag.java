package dev.cordon.bindings.value;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.generated.libc.LibcH;

/** Flags of {@link Kernel#open}. Close-on-exec is always set. */
public enum OpenFlag {
    /** For reading; the default. */
    READ(LibcH.O_RDONLY()),
    /** For writing. */
    WRITE(LibcH.O_WRONLY()),
    /** For both. */
    READ_WRITE(LibcH.O_RDWR()),
    /** Makes the file when it is not there. */
    CREATE(LibcH.O_CREAT()),
    /** With {@link #CREATE}: fails when it is there. */
    EXCLUSIVE(LibcH.O_EXCL()),
    /** Fails unless it is a directory. */
    DIRECTORY(LibcH.O_DIRECTORY()),
    /** Fails when the last part of the path is a symbolic link. */
    NO_FOLLOW(LibcH.O_NOFOLLOW()),
    /** Only a handle on the place, not on the content. */
    PATH(LibcH.O_PATH());

    private final int bits;

    OpenFlag(int bits) {
        this.bits = bits;
    }

    public int bits() {
        return bits;
    }
}
