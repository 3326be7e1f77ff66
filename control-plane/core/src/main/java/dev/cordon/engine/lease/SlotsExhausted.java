package dev.cordon.engine.lease;

import java.io.IOException;
import java.io.Serial;

/** Every user id of the configured range is in use. A later attempt may succeed. */
public final class SlotsExhausted extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    SlotsExhausted(long base, int count) {
        super("ids: all " + count + " user ids from " + base + " to " + (base + count - 1)
                + " are in use; wait for a sandbox to end, or configure a larger range (ids.count)");
    }
}
