package dev.cordon.result;

import java.util.Locale;

/** How a virtual machine is kept apart from the host. */
public enum Acceleration {
    /** By the processor's own means (KVM): a boundary of hardware. */
    ACCELERATED,
    /** By a program that emulates a processor: slower, and no boundary of hardware. */
    EMULATED;

    /** The name in JSON and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
