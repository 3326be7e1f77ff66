package dev.cordon;

import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.config.Config;
import dev.cordon.engine.Backend;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.jail.JailBackend;
import dev.cordon.engine.jail.SysTree;
import dev.cordon.job.Job;
import dev.cordon.plan.Plan;
import dev.cordon.plan.PlanOutcome;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.host.HostSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Opens a Cordon whose engine a test puts together. */
public final class EnginedCordon {
    /** Puts an engine together on the jails of this host, and owns both. */
    @FunctionalInterface
    public interface Engine {
        /** The engine. */
        Backend on(JailBackend jails, Supplier<HostFacts> facts, Config config) throws SandboxException;
    }

    private EnginedCordon() {}

    /** How a job would be carried out, or why not. */
    public static PlanOutcome planned(Cordon cordon, Job job) {
        return cordon.plan(job);
    }

    /** How a job would be carried out. */
    public static Plan plan(Cordon cordon, Job job) {
        return switch (planned(cordon, job)) {
            case PlanOutcome.Ready ready -> ready.plan();
            case PlanOutcome.Refused refused -> throw new AssertionError(refused.result());
        };
    }

    /** The caller closes it. */
    public static Cordon open(Config config, Engine engine) throws IOException {
        ControlPlaneName owner = ControlPlaneName.current();
        Path plane = config.runDirectory().resolve(owner.job(0, "plane").fileName());
        HostSurvey survey = HostSurvey.of(
                config, plane, SysTree.below(config.runDirectory()).path());
        return new Cordon(
                config,
                survey,
                settings -> engine.on(JailBackend.open(settings, owner, plane), survey::facts, settings));
    }

    /** A Cordon that knows of the host what its settings say. The caller closes it. */
    public static Cordon unsurveyed(Config config, Supplier<Backend> engine) throws IOException {
        return new Cordon(config, new HostSurvey(config.ids(), config.runDirectory()), ignored -> engine.get());
    }
}
