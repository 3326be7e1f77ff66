package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.WireConstant;

/** What a descriptor beside {@link Open} is. */
public enum DescriptorRole implements WireConstant {
    /** Sealed memfd with the encoded plan. */
    PLAN(CordonWireH.ROLE_PLAN()),
    /** Sealed memfd with init's filter, which is the job's as well unless {@link #JOB_FILTER} is there. */
    FILTER(CordonWireH.ROLE_FILTER()),
    /** Sealed memfd with a filter stacked in the job's processes. */
    JOB_FILTER(CordonWireH.ROLE_JOB_FILTER()),
    /** The cgroup v2 directory that init is born in. */
    CGROUP(CordonWireH.ROLE_CGROUP()),
    /** {@code cgroup.kill} of that directory, open for writing. */
    CGROUP_KILL(CordonWireH.ROLE_CGROUP_KILL()),
    /** A v1 {@code tasks} file that init writes itself into; there may be several. */
    CGROUP_TASKS(CordonWireH.ROLE_CGROUP_TASKS()),
    /** {@code cpuacct.usage} or {@code cpu.stat}, open for reading. */
    CPU_USAGE(CordonWireH.ROLE_CPU_USAGE()),
    /** Only held: the lock of the sandbox's uid slot. */
    LEASE(CordonWireH.ROLE_LEASE()),
    /** A prepared network namespace. */
    NETNS(CordonWireH.ROLE_NETNS()),
    /** Sealed memfd with {@link ObserveRule}s: the sandbox tells what its command asks of the kernel. */
    OBSERVE(CordonWireH.ROLE_OBSERVE()),
    /** Sealed memfd with a {@link GuardOrder}. */
    GUARD(CordonWireH.ROLE_GUARD());

    private final int code;

    DescriptorRole(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
