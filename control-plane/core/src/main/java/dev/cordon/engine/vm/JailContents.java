package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.DescriptorRole;
import dev.cordon.engine.supervisor.PlanEncoder;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.seccomp.BpfProgram;
import dev.cordon.seccomp.CompiledProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the jail in a machine is built from: the plan and the filters. Nothing of a job is in it, neither its name nor its files or
 * command, so jobs that differ in these alone have the same.
 *
 * @param roles what each content is
 * @param bytes the contents, in the order of the roles
 */
record JailContents(List<DescriptorRole> roles, List<byte[]> bytes) {
    JailContents {
        roles = List.copyOf(roles);
        bytes = List.copyOf(bytes);
    }

    static JailContents of(SandboxPlan plan, CompiledProfile profile) {
        long id = ((HostIds.Slot) plan.ids()).range().base();
        List<DescriptorRole> roles = new ArrayList<>(List.of(DescriptorRole.PLAN, DescriptorRole.FILTER));
        List<byte[]> bytes = new ArrayList<>();
        bytes.add(PlanEncoder.sandbox(plan, id, id, Optional.empty(), Optional.empty())
                .encode());
        bytes.add(profile.initFilter().bytes());
        Optional<BpfProgram> jobFilter = profile.jobFilter();
        if (jobFilter.isPresent()) {
            roles.add(DescriptorRole.JOB_FILTER);
            bytes.add(jobFilter.get().bytes());
        }
        return new JailContents(roles, bytes);
    }

    /** As memfds, which are the caller's. */
    List<Fd> sealed(Kernel kernel) throws ErrnoException {
        List<Fd> fds = new ArrayList<>();
        try {
            for (int i = 0; i < bytes.size(); i++) {
                fds.add(kernel.sealed("cordon-" + roles.get(i), bytes.get(i)));
            }
            return fds;
        } catch (ErrnoException | RuntimeException | Error e) {
            fds.forEach(Fd::close);
            throw e;
        }
    }
}
