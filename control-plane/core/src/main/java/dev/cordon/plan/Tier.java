package dev.cordon.plan;

import dev.cordon.job.Isolation;
import dev.cordon.job.limit.ByteSize;
import java.nio.file.Path;

/** What a plan says for its isolation level alone. */
public sealed interface Tier {
    /** The level. */
    default Isolation isolation() {
        return switch (this) {
            case PlainProcess ignored -> Isolation.PROCESS;
            case Jail ignored -> Isolation.JAIL;
            case Machine ignored -> Isolation.VM;
        };
    }

    /**
     * No namespaces: the operations are Landlock rules alone.
     *
     * @param workDirectory made by the engine (mode 0700, owned by the job's ids) and removed afterwards; the only writable place
     */
    record PlainProcess(Path workDirectory) implements Tier {}

    /**
     * A namespace jail.
     *
     * @param hostname   the jail's own
     * @param rootBytes  size of the root tmpfs, which holds mount points and the synthetic files
     * @param rootInodes number of files in the root tmpfs
     * @param burst      ends it at the last of so many refused system calls, and at an attempt to reach the network; 0: not watched for that
     */
    record Jail(String hostname, ByteSize rootBytes, long rootInodes, int burst) implements Tier {
        /** Uid and gid of the job inside. */
        public static final int INSIDE_ID = 1000;

        /** Whether the policy watches what the job does. */
        public boolean watched() {
            return burst > 0;
        }
    }

    /**
     * A virtual machine with a jail in it: operations, filter and limits are those of a jail on the host, applied to the machine's own root.
     *
     * @param inner   the jail; ids and paths of the plan are those of the machine
     * @param machine the machine
     */
    record Machine(Jail inner, MachinePlan machine) implements Tier {}
}
