package dev.cordon.engine.vm;

import java.io.IOException;

/** A guest said what no honest guest says; it is not listened to any more. */
final class HostileGuest extends IOException {
    private static final long serialVersionUID = 1L;

    HostileGuest(String rule) {
        super("the guest broke the protocol: " + rule);
    }
}
