package dev.cordon.vm.qemu;

import java.util.Locale;

/** What executes the guest's instructions. */
public enum QemuAccelerator {
    /** The processor itself: a hardware boundary. */
    KVM,
    /** QEMU's translator: the same machine, slower, and no hardware boundary. */
    TCG;

    /** Its name in settings and files. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
