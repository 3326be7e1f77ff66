package dev.cordon.plan;

import dev.cordon.job.JobId;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.util.List;
import java.util.Set;

/**
 * The plan of a virtual machine with a jail in it: the same operations, filter and limits as those of a jail on the host, applied to the
 * machine's own root.
 *
 * @param inner   the jail; its ids and paths are those of the machine
 * @param machine the machine
 */
public record VmPlan(JailPlan inner, MachinePlan machine) implements Plan {
    @Override
    public JobId id() {
        return inner.id();
    }

    @Override
    public HostIds ids() {
        return inner.ids();
    }

    @Override
    public List<RootStep> operations() {
        return inner.operations();
    }

    @Override
    public ProfileRef profile() {
        return inner.profile();
    }

    @Override
    public Limits limits() {
        return inner.limits();
    }

    @Override
    public Set<Limit> asked() {
        return inner.asked();
    }

    @Override
    public boolean strict() {
        return inner.strict();
    }

    @Override
    public String macLabel() {
        return inner.macLabel();
    }

    @Override
    public List<StagedFile> files() {
        return inner.files();
    }

    @Override
    public CommandPlan command() {
        return inner.command();
    }

    @Override
    public List<String> reasons() {
        return inner.reasons();
    }

    @Override
    public List<String> layersMissing() {
        return inner.layersMissing();
    }

    @Override
    public List<String> notes() {
        return inner.notes();
    }
}
