package dev.cordon;

import dev.cordon.api.JobSpec;
import dev.cordon.api.Outcome;
import dev.cordon.engine.Backend;
import dev.cordon.engine.SandboxException;
import dev.cordon.plan.HostUnsupportedException;
import dev.cordon.plan.ImageRoot;
import dev.cordon.plan.MachineFacts;
import dev.cordon.plan.MachineSurvey;

/**
 * The machines and images of an engine that is opened when the first job asks for one.
 *
 * @param engine  opens it
 * @param onlyLooking whether nothing may be built or tried: for a plan that nobody carries out
 */
record MachinesOnDemand(Engine engine, boolean onlyLooking) implements MachineSurvey {
    /** Opens the engine, or gives the one that is open. */
    @FunctionalInterface
    interface Engine {
        Backend get() throws SandboxException;
    }

    private MachineSurvey machines() throws HostUnsupportedException {
        try {
            MachineSurvey machines = engine.get().machines();
            return onlyLooking ? machines.looking() : machines;
        } catch (SandboxException e) {
            throw new HostUnsupportedException(
                    "vm isolation: " + e.getMessage(), "run 'cordon doctor'", fault(e.outcome()));
        }
    }

    private static Outcome.Fault fault(Outcome.Failed outcome) {
        return switch (outcome) {
            case Outcome.HostUnsupported host -> host.fault();
            case Outcome.SetupFailed failed -> failed.fault();
            default -> Outcome.Fault.OTHER;
        };
    }

    @Override
    public MachineFacts facts(JobSpec job) throws HostUnsupportedException {
        return machines().facts(job);
    }

    @Override
    public ImageRoot image(String name) throws HostUnsupportedException {
        return machines().image(name);
    }
}
