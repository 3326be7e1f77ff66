package dev.cordon.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything that {@link Doctor} found, in the order of the layers.
 *
 * @param checks the single findings
 */
public record HostDiagnosis(List<HostCheck> checks) {

    /** Takes a copy. */
    public HostDiagnosis {
        checks = List.copyOf(checks);
    }

    /** This diagnosis with one more check. */
    public HostDiagnosis and(HostCheck check) {
        List<HostCheck> more = new ArrayList<>(checks);
        more.add(check);
        return new HostDiagnosis(more);
    }

    /** How many checks ended this way. */
    public long count(HostCheck.Status status) {
        return checks.stream().filter(check -> check.status() == status).count();
    }

    /** Whether jobs can run here: nothing failed. */
    public boolean usable() {
        return count(HostCheck.Status.FAIL) == 0;
    }
}
