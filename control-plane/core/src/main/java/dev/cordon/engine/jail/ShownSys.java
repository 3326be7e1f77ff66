package dev.cordon.engine.jail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tree that jails are shown at /sys, as long as the engine runs: whoever cleans old files away may take it, and then it is made anew.
 * Without it jobs have no /sys, and know their limits only by running into them.
 */
final class ShownSys {
    private static final Logger LOG = LoggerFactory.getLogger(ShownSys.class);
    private static final long PAUSE = 1_000_000_000;

    private final Path runDirectory;
    private final long uid;
    private final AtomicLong looked = new AtomicLong();
    private volatile boolean there;

    private ShownSys(Path runDirectory, long uid) {
        this.runDirectory = runDirectory;
        this.uid = uid;
    }

    /** Makes the tree, if it can be made. */
    static ShownSys of(Path runDirectory, long uid) {
        ShownSys shown = new ShownSys(runDirectory, uid);
        shown.there = true; // so that the first failure is told
        shown.look();
        return shown;
    }

    /** Whether a jail can be shown it now. Looks once a second at most. */
    boolean isThere() {
        long last = looked.get();
        if (System.nanoTime() - last >= PAUSE && looked.compareAndSet(last, System.nanoTime())) {
            look();
        }
        return there;
    }

    private void look() {
        looked.set(System.nanoTime());
        try {
            SysTree.below(runDirectory).make(uid);
            there = true;
        } catch (IOException e) {
            if (there) {
                LOG.warn("jobs are shown no /sys: {}", e.toString());
            }
            there = false;
        }
    }
}
