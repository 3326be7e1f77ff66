package dev.cordon.quota;

import dev.cordon.config.Config;
import dev.cordon.job.Isolation;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.MachinePlan;

/** What of the host's memory a job may take: what the budget counts. */
public final class MemoryNeed {
    /** What QEMU takes beside its guest. */
    private static final ByteSize QEMU = ByteSize.mib(192);

    /** A guest for a job that asks for nothing. */
    private static final ByteSize MACHINE = ByteSize.gib(1);

    private MemoryNeed() {}

    /** A machine has its guest's memory, which is more than the job's, and QEMU's own. */
    public static ByteSize of(Isolation level, Limits limits) {
        return level == Isolation.VM ? machine(limits) : limits.memory();
    }

    /** What a job may take that is run again in a machine when it does what its policy watches for. */
    public static ByteSize escalating(Isolation level, Limits limits) {
        return ByteSize.bytes(
                Math.max(of(level, limits).bytes(), machine(limits).bytes()));
    }

    private static ByteSize machine(Limits limits) {
        return ByteSize.bytes(MachinePlan.memoryFor(limits.memory()).bytes() + QEMU.bytes());
    }

    /** What waits for jobs with these settings, and is nobody's yet. */
    static ByteSize ahead(Config config) {
        long sandboxes = config.pool().size() == 0 ? 0 : config.pool().memory().bytes();
        return ByteSize.bytes(sandboxes + config.vm().pool() * (MACHINE.bytes() + QEMU.bytes()));
    }
}
