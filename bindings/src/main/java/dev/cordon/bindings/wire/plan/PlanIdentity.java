package dev.cordon.bindings.wire.plan;

/**
 * Who the job is, inside and on the host.
 *
 * @param ids how the ids are mapped
 * @param insideUid the user id inside, never 0
 * @param insideGid the group id inside, never 0
 * @param hostUid the user id on the host; not looked at for {@link PlanIds#CALLER}
 * @param hostGid the group id on the host; not looked at for {@link PlanIds#CALLER}
 */
public record PlanIdentity(PlanIds ids, int insideUid, int insideGid, int hostUid, int hostGid) {
    /** Refuses root, inside as on the host. */
    public PlanIdentity {
        if (insideUid == 0 || insideGid == 0) {
            throw new IllegalArgumentException("the job may not be uid or gid 0 inside");
        }
        if (ids != PlanIds.CALLER && (hostUid == 0 || hostGid == 0)) {
            throw new IllegalArgumentException("the job may not be uid or gid 0 on the host");
        }
    }
}
