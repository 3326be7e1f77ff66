package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.cordon.Cordon;
import dev.cordon.EnginedCordon;
import dev.cordon.RunningJob;
import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.config.Config;
import dev.cordon.config.VmSettings;
import dev.cordon.engine.HostLedger;
import dev.cordon.engine.tier.Tiers;
import dev.cordon.fixture.JavaProcess;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.result.Outcome;
import dev.cordon.result.PreparationListener;
import dev.cordon.result.Result;
import dev.cordon.vm.qemu.QemuLaunch;
import dev.cordon.vm.qemu.QemuLauncher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Machines that fail while a job runs in them: the job has a clear outcome, soon, and nothing is left behind. */
@Tag("vm")
class MachineUnderJobVmTest {
    private static final GuestLink.Patience LITTLE =
            new GuestLink.Patience(Duration.ofSeconds(1), Duration.ofSeconds(8), Duration.ofSeconds(5));
    private static final long SOON = 60;
    private static final String PANIC_ON_OOM = " sysctl.vm.panic_on_oom=2";
    private static final int RUBBISH = 64 * 1024;

    private final Kernel kernel = NativeParts.load().kernel();
    private final AtomicReference<Fd> channel = new AtomicReference<>();
    private Cordon cordon;
    private HostLedger before;

    @BeforeEach
    void open() throws IOException {
        cordon = EnginedCordon.open(Machinery.config(0), (jails, facts, config) -> {
            MachineHost machines = new MachineHost(jails, facts, config, PreparationListener.none());
            VmBackend.Source source = (plan, jail) -> {
                LeasedMachine lease = machines.lease(plan, jail);
                channel.set(lease.channel());
                return lease;
            };
            return new Tiers(jails, new VmBackend(jails, source, LITTLE), machines);
        });
        // What a process loads once is there before anything is counted.
        assertThat(cordon.run(job("true")).succeeded()).isTrue();
        awaitNothing();
        before = HostLedger.now();
    }

    @AfterEach
    void nothingIsLeft() {
        try {
            awaitNothing();
            await().atMost(Duration.ofSeconds(SOON)).untilAsserted(() -> {
                assertThat(HostLedger.now().descriptors()).isLessThanOrEqualTo(before.descriptors());
                assertThat(HostLedger.now().mounts()).isEqualTo(before.mounts());
            });
        } finally {
            cordon.close();
        }
        assertThat(Machinery.machines()).isEmpty();
    }

    /** A result is known before its sandbox has given everything back. */
    private static void awaitNothing() {
        await().atMost(Duration.ofSeconds(SOON)).untilAsserted(() -> {
            assertThat(Machinery.machines()).isEmpty();
            HostLedger now = HostLedger.now();
            assertThat(now.supervisors() + now.cgroups() + now.directories()).isZero();
        });
    }

    private static Job job(String script) {
        return ContractCase.sized(Job.shell(script), Isolation.VM).timeout(Duration.ofMinutes(5));
    }

    /** Something that is done to a machine. */
    @FunctionalInterface
    private interface Harm {
        void to(ProcessHandle qemu) throws Exception;
    }

    private Result harmed(Harm harm) throws Exception {
        try (RunningJob running = cordon.start(job("echo ready; exec sleep 300").streaming())) {
            byte[] ready = running.stdout().readNBytes("ready\n".length());
            assertThat(new String(ready, StandardCharsets.UTF_8)).isEqualTo("ready\n");
            assertThat(Machinery.machines()).hasSize(1);
            harm.to(Machinery.machines().getFirst());
            return running.result().get(SOON, TimeUnit.SECONDS);
        }
    }

    private static void isTheMachines(Result result, String word) {
        assertThat(result.outcome())
                .asInstanceOf(type(Outcome.SetupFailed.class))
                .satisfies(failed -> {
                    assertThat(failed.stage()).isEqualTo("machine");
                    assertThat(failed.detail()).contains(word);
                    assertThat(failed.remedy()).isNotEmpty();
                });
    }

    @Test
    void aKilledQemuEndsTheJob() throws Exception {
        isTheMachines(harmed(ProcessHandle::destroyForcibly), "DIED: killed by signal 9");
    }

    @Test
    void aStoppedQemuIsGivenUp() throws Exception {
        isTheMachines(harmed(qemu -> JavaProcess.signal(qemu, "STOP")), "not answered");
    }

    @Test
    void aGuestWhoseAgentFailsEndsTheJob() throws Exception {
        isTheMachines(harmed(qemu -> sendRubbish()), "the machine failed");
    }

    /** What no host would say makes the agent give up its machine. */
    private void sendRubbish() throws IOException {
        ByteBuffer rubbish = ByteBuffer.allocateDirect(RUBBISH);
        while (rubbish.hasRemaining() && kernel.write(Objects.requireNonNull(channel.get()), rubbish) >= 0) {
            Thread.onSpinWait();
        }
    }

    /** A job that is out of memory, in a machine whose kernel is told to take that for its own end. */
    @Test
    void aGuestThatPanicsEndsTheJob() throws Exception {
        Config booted = Machinery.config(0).withVm(Machinery.config(0).vm().with(false, 0));
        try (Cordon fragile = EnginedCordon.open(booted, (jails, facts, config) -> {
            MachineHost machines = new MachineHost(
                    jails, facts, config, PreparationListener.none(), launcher -> appending(launcher, PANIC_ON_OOM));
            return new Tiers(jails, new VmBackend(jails, machines), machines);
        })) {
            Result result = fragile.run(job("tail /dev/zero"));
            isTheMachines(result, "PANIC");
        }
    }

    /** Starts QEMU with more arguments for its kernel. */
    private static QemuLauncher appending(QemuLauncher launcher, String more) {
        return launch -> {
            List<String> arguments = new ArrayList<>(launch.arguments());
            int append = arguments.indexOf("-append") + 1;
            if (append > 0) {
                arguments.set(append, arguments.get(append) + more);
            }
            return launcher.launch(
                    new QemuLaunch(arguments, launch.descriptors(), launch.memory(), launch.cpus(), launch.kvm()));
        };
    }

    @Test
    void aStoppedQemuDoesNotKeepCordonFromClosing() throws Exception {
        try (RunningJob running = cordon.start(job("echo ready; exec sleep 300").streaming())) {
            assertThat(running.stdout().readNBytes(1)).isNotEmpty();
            JavaProcess.signal(Machinery.machines().getFirst(), "STOP");
            cordon.close();
            assertThat(running.result().get(SOON, TimeUnit.SECONDS).succeeded()).isFalse();
        }
        before = HostLedger.now(); // the engine itself is gone, too
    }

    @Test
    void aGuestThatIsNeverReadyIsToldWithItsRemedy() throws Exception {
        Config config = Machinery.config(0);
        Config hasty = config.withVm(new VmSettings(
                true,
                config.vm().accel(),
                Duration.ofSeconds(1),
                VmSettings.Templates.OFF,
                0,
                config.vm().images()));
        try (Cordon impatient = Cordon.open(hasty)) {
            Result result = impatient.run(job("true"));
            isTheMachines(result, "in time");
        }
    }
}
