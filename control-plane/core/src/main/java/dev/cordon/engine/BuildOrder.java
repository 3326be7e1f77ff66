package dev.cordon.engine;

import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.wire.Fault;
import dev.cordon.bindings.wire.GuardOrder;
import dev.cordon.bindings.wire.ObserveRule;
import dev.cordon.bindings.wire.Open;
import dev.cordon.bindings.wire.Role;
import dev.cordon.plan.JailPlan;
import dev.cordon.plan.Plan;
import dev.cordon.profile.BpfProgram;
import dev.cordon.profile.CompiledProfile;
import dev.cordon.profile.Lesson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a supervisor is told to build: the plan, the filters and the descriptors of its ground.
 *
 * @param lesson what is observed of the command; null: nothing
 * @param fault  what a test build of the supervisor is to do wrong
 */
record BuildOrder(
        Plan plan, CompiledProfile profile, @Nullable Lesson lesson, Optional<Fault> fault) {
    /** Sends it; closes all descriptors when it cannot. */
    void give(Kernel kernel, JailGround ground, SupervisorLink link) throws ErrnoException {
        List<Role> roles = new ArrayList<>();
        List<Fd> fds = new ArrayList<>();
        try {
            for (JailGround.Given given : ground.handOver(kernel)) {
                roles.add(given.role());
                fds.add(given.fd());
            }
            byte[] bytes =
                    PlanEncoder.sandbox(plan, ground.uid(), ground.gid(), fault).encode();
            roles.add(Role.PLAN);
            fds.add(kernel.sealed("cordon-plan", bytes));
            roles.add(Role.FILTER);
            fds.add(kernel.sealed("cordon-filter", profile.initFilter().bytes()));
            Optional<BpfProgram> jobFilter = profile.jobFilter();
            if (jobFilter.isPresent()) {
                roles.add(Role.JOB_FILTER);
                fds.add(kernel.sealed("cordon-job-filter", jobFilter.get().bytes()));
            }
            if (lesson != null) {
                roles.add(Role.OBSERVE);
                fds.add(kernel.sealed("cordon-observe", ObserveRule.encode(lesson.rules())));
            }
            if (plan instanceof JailPlan jail && jail.watched() && lesson == null) {
                roles.add(Role.GUARD);
                fds.add(kernel.sealed("cordon-guard", new GuardOrder(jail.burst(), profile.counted()).encode()));
            }
            link.send(new Open(roles), 0, fds);
        } catch (ErrnoException | RuntimeException | Error e) {
            fds.forEach(Fd::close);
            throw e;
        }
    }
}
