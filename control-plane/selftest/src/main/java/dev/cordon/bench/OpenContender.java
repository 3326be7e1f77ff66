package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Commands in jails that stay open, one for each processor: what the steps of one agent are. */
final class OpenContender implements BenchContender, AutoCloseable {
    static final String NAME = "Cordon, open sandbox";

    private final List<Sandbox> sandboxes = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    OpenContender(Cordon cordon) {
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            sandboxes.add(cordon.openSandbox(SandboxSpec.create()));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run() throws BenchFailed {
        int number = Math.floorMod(next.getAndIncrement(), sandboxes.size());
        BenchFailed.unlessSucceeded(sandboxes.get(number).run(Job.argv(RivalPrograms.TRUE)));
    }

    @Override
    public void close() {
        sandboxes.forEach(Sandbox::close);
    }
}
