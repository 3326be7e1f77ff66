package dev.cordon.engine.sandbox;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.lease.SandboxLease;
import dev.cordon.files.IoFaults;
import dev.cordon.result.Outcome;

/** Pauses a sandbox and lets it go on: its processes are frozen, and the clocks of its commands stand still meanwhile. */
final class PauseSwitch {
    private final SandboxLease lease;
    private final Clocks clocks;
    private volatile boolean paused;
    private volatile int pauses;

    /** The clocks of the supervisor. */
    interface Clocks {
        /** Lets them go on. */
        void run();

        /** Returns when they stand: a supervisor that waits for init would read nothing more from the moment when that is frozen. */
        void stop() throws SandboxException;
    }

    PauseSwitch(SandboxLease lease, Clocks clocks) {
        this.lease = lease;
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
        if (!lease.freezable()) {
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
            clocks.stop();
            lease.freeze();
        } catch (CgroupException | SandboxException | RuntimeException e) {
            paused = false;
            clocks.run();
            throw e instanceof SandboxException refused ? refused : failed("pause", e);
        }
    }

    /** Does nothing when it runs. */
    synchronized void resume() throws SandboxException {
        if (!paused) {
            return;
        }
        try {
            lease.thaw();
            clocks.run();
            paused = false;
            pauses++;
        } catch (CgroupException | RuntimeException e) {
            throw failed("resume", e);
        }
    }

    private static SandboxException failed(String stage, Exception problem) {
        return new SandboxException(new Outcome.SetupFailed(
                stage,
                "",
                String.valueOf(problem.getMessage()),
                "try again, or close the sandbox",
                IoFaults.of(problem)));
    }
}
