package dev.cordon.engine.vm.frame;

import java.io.IOException;

/** A guest said what no honest guest says; it is not listened to any more. */
public final class HostileGuest extends IOException {
    private static final long serialVersionUID = 1L;

    public HostileGuest(String rule) {
        super("the guest broke the protocol: " + rule);
    }
}
