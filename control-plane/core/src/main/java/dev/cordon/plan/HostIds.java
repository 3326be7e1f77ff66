package dev.cordon.plan;

import dev.cordon.config.IdRange;

/** Which host ids the job has. Inside it is always uid and gid 1000, and never 0 on the host. */
public sealed interface HostIds {
    /**
     * The control plane is root: the engine leases one id of a range for this sandbox alone.
     *
     * @param range uid and gid are the same number out of it
     */
    record Slot(IdRange range) implements HostIds {}

    /**
     * The control plane is root and the job writes to a host directory: it has the ids of that directory's owner.
     *
     * @param uid the owner
     * @param gid the group
     */
    record Owner(long uid, long gid) implements HostIds {
        /** Refuses the host's root. */
        public Owner {
            if (uid <= 0 || gid <= 0) {
                throw new IllegalArgumentException("a job never has the host's uid or gid 0");
            }
        }
    }

    /**
     * Rootless with a single id: the caller's own. The caller's supplementary groups stay effective.
     *
     * @param uid the caller
     * @param gid the caller's group
     */
    record Caller(long uid, long gid) implements HostIds {}

    /**
     * Rootless through newuidmap: the engine leases one id of the caller's subordinate ranges.
     *
     * @param uids from /etc/subuid
     * @param gids from /etc/subgid
     */
    record Subordinate(IdRange uids, IdRange gids) implements HostIds {}
}
