package dev.cordon.engine.jail;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.bindings.wire.request.DescriptorRole;
import dev.cordon.bindings.wire.request.GuardOrder;
import dev.cordon.bindings.wire.request.ObserveRule;
import dev.cordon.bindings.wire.request.Open;
import dev.cordon.engine.lease.JailLease;
import dev.cordon.engine.supervisor.PlanEncoder;
import dev.cordon.engine.supervisor.SupervisorLink;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.seccomp.BpfProgram;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.learn.ObservedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a supervisor is told to build: the plan, the filters and the descriptors of its lease.
 *
 * @param observed what is observed of the command; null: nothing
 * @param showsSys whether there is what the plan shows at /sys
 * @param fault  what a test build of the supervisor is to do wrong
 */
record BuildOrder(
        SandboxPlan plan,
        CompiledProfile profile,
        @Nullable ObservedRun observed,
        Optional<InjectedFault> fault,
        boolean showsSys) {
    /** Sends it; closes all descriptors when it cannot. */
    void give(Kernel kernel, JailLease lease, SupervisorLink link) throws ErrnoException {
        List<DescriptorRole> roles = new ArrayList<>();
        List<Fd> fds = new ArrayList<>();
        try {
            for (JailLease.Given given : lease.handOver(kernel)) {
                roles.add(given.role());
                fds.add(given.fd());
            }
            byte[] bytes = PlanEncoder.sandbox(
                            plan,
                            lease.uid(),
                            lease.gid(),
                            showsSys ? Optional.of(lease.shownCgroups()) : Optional.empty(),
                            fault)
                    .encode();
            roles.add(DescriptorRole.PLAN);
            fds.add(kernel.sealed("cordon-plan", bytes));
            roles.add(DescriptorRole.FILTER);
            fds.add(kernel.sealed("cordon-filter", profile.initFilter().bytes()));
            Optional<BpfProgram> jobFilter = profile.jobFilter();
            if (jobFilter.isPresent()) {
                roles.add(DescriptorRole.JOB_FILTER);
                fds.add(kernel.sealed("cordon-job-filter", jobFilter.get().bytes()));
            }
            if (observed != null) {
                roles.add(DescriptorRole.OBSERVE);
                fds.add(kernel.sealed("cordon-observe", ObserveRule.encode(observed.rules())));
            }
            if (plan.tier() instanceof Tier.Jail jail && jail.watched() && observed == null) {
                roles.add(DescriptorRole.GUARD);
                fds.add(kernel.sealed("cordon-guard", new GuardOrder(jail.burst(), profile.counted()).encode()));
            }
            link.send(new Open(roles), 0, fds);
        } catch (ErrnoException | RuntimeException | Error e) {
            fds.forEach(Fd::close);
            throw e;
        }
    }
}
