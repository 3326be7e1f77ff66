package dev.cordon.bindings.value;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.generated.libc.LibcH;

/** Namespaces that {@link Kernel#unshare} can make anew. */
public enum Namespace {
    /** Mounts. */
    MOUNT(LibcH.CLONE_NEWNS()),
    /** The view of the control groups. */
    CGROUP(LibcH.CLONE_NEWCGROUP()),
    /** Host name. */
    UTS(LibcH.CLONE_NEWUTS()),
    /** System V and POSIX message queues. */
    IPC(LibcH.CLONE_NEWIPC()),
    /** User and group ids, capabilities. A process with several threads cannot enter one. */
    USER(LibcH.CLONE_NEWUSER()),
    /** Process ids of children. */
    PID(LibcH.CLONE_NEWPID()),
    /** Network. */
    NET(LibcH.CLONE_NEWNET()),
    /** Clock offsets of children. */
    TIME(LibcH.CLONE_NEWTIME());

    private final int bits;

    Namespace(int bits) {
        this.bits = bits;
    }

    public int bits() {
        return bits;
    }
}
