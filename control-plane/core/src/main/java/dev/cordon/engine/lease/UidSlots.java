package dev.cordon.engine.lease;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.BitSet;
import java.util.Set;

/**
 * Host user ids of sandboxes: slot n is user id base + n. A slot is leased by the flock(2) of a file that is named by the user id, so
 * that ranges which overlap agree. The supervisor holds the lock too: the slot stays taken until both have ended, and no crash leaves it
 * taken for longer. The files stay; the lock counts, not the file.
 */
public final class UidSlots {

    private static final long MOST_UID = 0xffff_fffdL;

    private final Path directory;
    private final long base;
    private final int count;
    private final Kernel kernel;
    /** Slots of this process: a shortcut past the locks, and the guard against leasing one twice. */
    private final BitSet taken = new BitSet();

    /**
     * Slots in a directory that nobody else can enter; it is made when it is not there.
     *
     * @param directory where the lock files are, such as {@code /run/cordon/slots}
     * @param base the user id of slot 0
     * @param count how many there are
     * @param kernel for the locks
     */
    public UidSlots(Path directory, long base, int count, Kernel kernel) throws IOException {
        if (base < 1 || count < 1 || base + count - 1 > MOST_UID) {
            throw new IllegalArgumentException(
                    "ids: base " + base + " with " + count + " slots is not within 1 and " + MOST_UID);
        }
        this.directory = directory;
        this.base = base;
        this.count = count;
        this.kernel = kernel;
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /**
     * Leases the lowest free slot.
     *
     * @throws SlotsExhausted when all are taken
     * @throws IOException when a lock file can't be opened
     */
    public UidSlot lease() throws IOException {
        synchronized (taken) {
            for (int slot = taken.nextClearBit(0); slot < count; slot = taken.nextClearBit(slot + 1)) {
                Path file = directory.resolve(Long.toString(base + slot));
                Fd lock = kernel.open(file, Set.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.NO_FOLLOW), 0600);
                if (locked(lock)) {
                    taken.set(slot);
                    return new UidSlot(slot, base + slot, lock, this);
                }
            }
        }
        throw new SlotsExhausted(base, count);
    }

    /** How many slots this process has leased. */
    public int leased() {
        synchronized (taken) {
            return taken.cardinality();
        }
    }

    void release(int slot) {
        synchronized (taken) {
            taken.clear(slot);
        }
    }

    /** Whether the lock is ours now; a descriptor without one is closed. */
    private boolean locked(Fd lock) throws IOException {
        boolean locked = false;
        try {
            locked = kernel.lock(lock);
        } finally {
            if (!locked) {
                lock.close();
            }
        }
        return locked;
    }
}
