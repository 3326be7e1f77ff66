package dev.cordon.bindings.wire;

import java.io.IOException;

/** A packet that breaks the protocol: its sender is not to be trusted with another one. */
public final class MalformedMessage extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong with it. */
    public MalformedMessage(String message) {
        super(message);
    }
}
