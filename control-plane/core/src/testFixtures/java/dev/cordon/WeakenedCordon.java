package dev.cordon;

import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.config.Config;
import dev.cordon.engine.Backend;
import dev.cordon.engine.jail.SysTree;
import dev.cordon.engine.jail.WeakenedBackend;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.host.HostSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Opens a Cordon whose jails lack something. */
public final class WeakenedCordon {
    private WeakenedCordon() {}

    /** One that leaves out a step. */
    public static Cordon without(InjectedFault step) throws IOException {
        return open(Optional.of(step), plan -> plan);
    }

    /** One that changes its plans before they are carried out. */
    public static Cordon changing(UnaryOperator<SandboxPlan> change) throws IOException {
        return open(Optional.empty(), change);
    }

    /** One whose filters let everything through; the change has to give each plan a profile of a file. */
    public static Cordon unfiltered(UnaryOperator<SandboxPlan> change) throws IOException {
        return open((settings, owner, plane) -> WeakenedBackend.unfiltered(settings, owner, plane, change));
    }

    private static Cordon open(Optional<InjectedFault> fault, UnaryOperator<SandboxPlan> change) throws IOException {
        return open((settings, owner, plane) -> WeakenedBackend.open(settings, owner, plane, fault, change));
    }

    @FunctionalInterface
    private interface Engine {
        Backend open(Config config, ControlPlaneName owner, Path plane);
    }

    private static Cordon open(Engine engine) throws IOException {
        Config config = Config.load();
        ControlPlaneName owner = ControlPlaneName.current();
        Path plane = config.runDirectory().resolve(owner.job(0, "plane").fileName());
        return new Cordon(
                config,
                HostSurvey.of(
                        config, plane, SysTree.below(config.runDirectory()).path()),
                settings -> engine.open(settings, owner, plane));
    }
}
