package dev.cordon.engine;

import dev.cordon.api.Outcome;
import dev.cordon.cgroup.CgroupException;
import java.util.function.Consumer;

/** Pauses a sandbox and lets it go on: its processes are frozen, and the clocks of its commands stand still meanwhile. */
final class PauseSwitch {
    private final Ground ground;
    private final Consumer<Boolean> clocks;
    private volatile boolean paused;
    private volatile int pauses;

    /** @param clocks lets the supervisor's clocks run, or stops them */
    PauseSwitch(Ground ground, Consumer<Boolean> clocks) {
        this.ground = ground;
        this.clocks = clocks;
    }

    /** How often the sandbox was paused or let go on: whoever finds another number than before was stopped meanwhile. */
    int turns() {
        return paused ? 2 * pauses + 1 : 2 * pauses;
    }

    boolean paused() {
        return paused;
    }

    /** Does nothing when it is paused already. */
    synchronized void pause() throws SandboxException {
        if (!ground.freezable()) {
            throw new SandboxException(new Outcome.HostUnsupported(
                    "a freezer for the sandbox's processes",
                    "give Cordon cgroups (systemd: Delegate=yes; else run as root); 'cordon doctor' tells what is"
                            + " missing"));
        }
        if (paused) {
            return;
        }
        try {
            paused = true;
            clocks.accept(false);
            ground.freeze();
        } catch (CgroupException | RuntimeException e) {
            paused = false;
            clocks.accept(true);
            throw failed("pause", e);
        }
    }

    /** Does nothing when it runs. */
    synchronized void resume() throws SandboxException {
        if (!paused) {
            return;
        }
        try {
            ground.thaw();
            clocks.accept(true);
            paused = false;
            pauses++;
        } catch (CgroupException | RuntimeException e) {
            throw failed("resume", e);
        }
    }

    private static SandboxException failed(String stage, Exception problem) {
        return new SandboxException(new Outcome.SetupFailed(
                stage, "", String.valueOf(problem.getMessage()), "try again, or close the sandbox"));
    }
}
