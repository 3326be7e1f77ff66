package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.engine.SandboxException;
import dev.cordon.engine.jail.JailBackend;
import dev.cordon.engine.jail.JailedProgram;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.Plan;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.planner.QemuPlanner;
import dev.cordon.vm.qemu.QemuLaunch;
import dev.cordon.vm.qemu.QemuLauncher;
import dev.cordon.vm.qemu.QemuProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Starts each QEMU in a jail of its own. */
final class JailedQemu implements QemuLauncher {
    private final JailBackend host;
    private final HostFacts facts;
    private final Path store;
    private final AtomicLong count = new AtomicLong();

    JailedQemu(JailBackend host, HostFacts facts, Path store) {
        this.store = store;
        this.host = host;
        this.facts = facts;
    }

    @Override
    public QemuProcess launch(QemuLaunch launch) throws IOException {
        JobId id = new JobId("machine_" + count.incrementAndGet());
        try {
            Optional<Path> kvm = launch.kvm() ? Optional.of(KvmDevice.source(store, facts.root())) : Optional.empty();
            return new Jailed(host.qemu(plan(id, facts, launch, kvm), launch.descriptors()));
        } catch (SandboxException e) {
            launch.descriptors().forEach(Fd::close);
            throw new IOException("QEMU's jail: " + e.getMessage(), e);
        }
    }

    /** A QEMU that its guest has taken over has the guest's memory and processors, and QEMU's own share. */
    static Plan plan(JobId id, HostFacts facts, QemuLaunch launch, Optional<Path> kvm) {
        return QemuPlanner.plan(id, facts, launch.arguments(), ByteSize.bytes(launch.memory()), launch.cpus(), kvm);
    }

    private record Jailed(JailedProgram program) implements QemuProcess {
        @Override
        public CompletableFuture<String> exited() {
            return program.ended();
        }

        @Override
        public void kill() {
            program.kill();
        }
    }
}
