package dev.cordon.engine.lease;

import dev.cordon.files.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where host ids are locked while sandboxes have them. Each user of the host has one place, whatever directories an engine works in and
 * whatever its environment says: two engines that lock in two places would give one id to two sandboxes. Nobody else can enter it, so that
 * nobody else can hold a lock there.
 */
public final class IdLocks {
    private static final Path ROOTS = Path.of("/run/cordon/slots");

    private IdLocks() {}

    /**
     * Makes the place of a user when it is missing.
     *
     * @throws IdLocksUnavailable when it cannot be made, or is not closed to others
     */
    public static Path prepare(long uid) throws IdLocksUnavailable {
        return prepare(uid, place(uid, System.getProperty("user.home", "")));
    }

    /**
     * The place of a user.
     *
     * @param home of users other than root, as the user database has it: Java asks getpwuid(3), not the environment
     */
    static Path place(long uid, String home) {
        return uid == 0 ? ROOTS : Path.of("/").resolve(home).resolve(".local/state/cordon/slots");
    }

    static Path prepare(long uid, Path place) throws IdLocksUnavailable {
        try {
            if (uid == 0) {
                Path parent = place.getParent();
                RunDirectory.prepare(parent == null ? place : parent, uid);
            }
            return RunDirectory.prepare(place, uid);
        } catch (IOException e) {
            throw new IdLocksUnavailable(place, uid, e);
        }
    }
}
