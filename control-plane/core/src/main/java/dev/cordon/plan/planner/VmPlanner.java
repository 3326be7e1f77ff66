package dev.cordon.plan.planner;

import dev.cordon.config.IdRange;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.ExecPlan;
import dev.cordon.plan.MachinePlan;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.policy.Decision;
import dev.cordon.result.Acceleration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The plan of one machine. What the host has is asked of the job's own files alone; the jail is planned for the machine's image. */
record VmPlanner(JobId id, JobSpec job, Decision.Allowed decision, HostFacts host, MachineFacts machine)
        implements TierPlanner {
    /** The ids of the job in its machine, where nobody else is. */
    static final IdRange GUEST_IDS = new IdRange(100_000, 1);

    /** With one processor the agent would wait for a job that computes. */
    private static final int LEAST_CPUS = 2;

    private static final int MOST_CPUS = 32;

    @Override
    public SandboxPlan sandbox() throws HostUnsupportedException {
        if (machine.acceleration() == Acceleration.EMULATED && !machine.emulationAllowed()) {
            throw new HostUnsupportedException(
                    "vm isolation: machines are only emulated here (" + machine.reason()
                            + "), which is not a boundary of hardware",
                    "make /dev/kvm usable, or allow emulation: vm.allow_emulated = true in the configuration file, or"
                            + " CORDON_VM__ALLOW_EMULATED=true in the environment");
        }
        if (machine.acceleration() == Acceleration.EMULATED && decision.requireHardware()) {
            throw new HostUnsupportedException(
                    "vm isolation on hardware, which rule " + decision.rule()
                            + " requires: machines are only emulated here (" + machine.reason() + ")",
                    "make /dev/kvm usable, or have require_hardware taken out of the rule");
        }
        refuseWhatStaysOutside();
        return inside().sandbox();
    }

    @Override
    public ExecPlan exec(SandboxPlan sandbox) {
        return inside().exec(sandbox);
    }

    private JailPlanner inside() {
        HostFacts inside = new HostFacts(
                0,
                0,
                false,
                GUEST_IDS,
                Optional.empty(),
                Collections.emptySortedMap(),
                host.runDirectory(),
                Optional.empty(), // the machine's own programs see the machine's own processors and memory
                host.sources(),
                Collections.emptySortedSet(),
                Collections.emptySortedSet(),
                Collections.emptySortedSet());
        MachinePlan needed = new MachinePlan(
                machine.image(),
                MachinePlan.memoryFor(job.limits().memory()),
                cpus(),
                machine.acceleration(),
                job.origin().owner());
        return new JailPlanner(
                id,
                job,
                decision,
                inside,
                machine.root(),
                HostTrees.ofMachine(),
                jail -> new Tier.Machine(jail, needed));
    }

    private void refuseWhatStaysOutside() {
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < job.containment().mounts().size(); i++) {
            errors.add(new FieldError(
                    "/mounts/" + i,
                    job.containment().mounts().get(i).source().toString(),
                    "cannot be shown to a machine, which shares no directory with the host",
                    "pass the content as files of the job, or ask for the level jail"));
        }
        String label = job.containment().macLabel();
        if (label != null) {
            errors.add(new FieldError(
                    "/mac_label", label, "is a label of the host's, which a machine does not know", "leave it out"));
        }
        if (!errors.isEmpty()) {
            throw new InvalidJob(errors);
        }
    }

    /** Machines of one shape share a template. */
    private int cpus() {
        int wanted = (int) Math.ceil(job.limits().cpus());
        int most = Math.clamp(machine.processors(), LEAST_CPUS, MOST_CPUS);
        return powerOfTwo(Math.clamp(wanted, LEAST_CPUS, most));
    }

    private static int powerOfTwo(int least) {
        return least == 1 ? 1 : Integer.highestOneBit(least - 1) * 2;
    }
}
