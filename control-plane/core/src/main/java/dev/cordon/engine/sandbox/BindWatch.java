package dev.cordon.engine.sandbox;

import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Watches the directories of the host that a job writes to, which no tmpfs limits. Looks again and again and ends the job once they have
 * grown beyond its disk or file limit, or can no longer be looked at. Between two looks a job can write more than that, and files that it
 * deleted and keeps open are not seen: this is a watch, not a wall.
 */
public final class BindWatch {
    private static final long PERIOD_MILLIS = 200;

    private final List<Path> directories;
    private final long bytesAllowed;
    private final long filesAllowed;

    private BindWatch(List<Path> directories, SandboxPlan plan) {
        this.directories = directories;
        DiskTally before = DiskTally.of(directories);
        bytesAllowed = before.bytes() + plan.limits().disk().bytes();
        filesAllowed = before.files() + plan.limits().files();
    }

    /** A watch over a job that writes to the host, with what is there before it begins; empty for others. */
    public static Optional<BindWatch> of(SandboxPlan plan) {
        List<Path> directories = new ArrayList<>();
        for (RootStep operation : plan.operations()) {
            if (operation instanceof RootStep.Bind bind && bind.writable()) {
                directories.add(Path.of(bind.source()));
            }
        }
        if (plan.tier() instanceof Tier.PlainProcess process) {
            directories.add(process.workDirectory());
        }
        return directories.isEmpty() ? Optional.empty() : Optional.of(new BindWatch(directories, plan));
    }

    /** Watches until the sandbox ends. */
    public void start(LiveSandbox sandbox) {
        Thread.ofVirtual().name("cordon-disk").start(() -> run(sandbox));
    }

    private void run(LiveSandbox sandbox) {
        while (true) {
            try {
                sandbox.end().get(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                DiskTally now = DiskTally.of(directories);
                if (now.hidden() || now.bytes() > bytesAllowed || now.files() > filesAllowed) {
                    sandbox.overDisk();
                    return;
                }
            } catch (InterruptedException | ExecutionException e) {
                return;
            }
        }
    }
}
