package dev.cordon.engine.lease;

import java.io.IOException;
import java.nio.file.Path;

/** Host ids cannot be locked, so that two sandboxes could get the same one: none is given out. */
public final class IdLocksUnavailable extends IOException {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    IdLocksUnavailable(Path place, long uid, IOException cause) {
        super("host ids are locked in " + place + ", which cannot be used: " + cause, cause);
        this.remedy = uid == 0
                ? "make " + place + " a directory of root's with mode 0700 that this process may write;"
                        + " a unit with ProtectSystem=strict needs ReadWritePaths=" + place
                : "make " + place + " a directory of uid " + uid + " with mode 0700, in the home directory that the"
                        + " user database names";
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
