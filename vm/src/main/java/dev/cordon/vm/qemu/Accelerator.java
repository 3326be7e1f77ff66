package dev.cordon.vm.qemu;

/** What executes the guest's instructions. */
public enum Accelerator {
    /** The processor itself: a hardware boundary. */
    KVM("kvm"),
    /** QEMU's translator: the same machine, slower, and no hardware boundary. */
    TCG("tcg");

    private final String key;

    Accelerator(String key) {
        this.key = key;
    }

    /** Its name in settings and files. */
    public String key() {
        return key;
    }
}
