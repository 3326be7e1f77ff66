package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.value.WindowSize;
import dev.cordon.bindings.wire.request.Exec;
import dev.cordon.bindings.wire.request.ExecFlag;
import dev.cordon.bindings.wire.request.ViolationAction;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import dev.cordon.engine.vm.frame.GuestFrame;
import dev.cordon.engine.vm.frame.Puppet;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ends that a guest tells, and the end of a guest while it is listened to. */
class GuestEndTest {
    private static final int SOON = 20;
    private static final int MANY = 1000;

    private Kernel kernel;
    private EngineContext context;
    private Puppet puppet;
    private GuestLink link;

    @BeforeEach
    void open() throws Exception {
        kernel = NativeParts.load().kernel();
        Reactor reactor = new Reactor(kernel);
        reactor.start();
        context = new EngineContext(kernel, reactor, ByteBuffer.allocateDirect(64 * 1024));
        puppet = new Puppet(kernel);
        link = new GuestLink(context, puppet, GuestLink.Patience.USUAL);
        link.report(puppet);
        link.listen();
    }

    @AfterEach
    void close() throws Exception {
        settle();
        context.reactor().close();
        puppet.close();
    }

    private void settle() throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        context.reactor().execute(() -> done.complete(null));
        done.get(SOON, TimeUnit.SECONDS);
    }

    /** Sends a command, and returns where its output comes from. */
    private Pipe command(int id) throws Exception {
        Pipe pipe = kernel.pipe();
        Exec exec = new Exec(
                Set.of(ExecFlag.STDIN_NULL),
                Duration.ofMinutes(1),
                Optional.empty(),
                "/",
                List.of("/bin/true"),
                List.of(),
                Map.of(),
                ViolationAction.REFUSE,
                new WindowSize(0, 0),
                0);
        link.send(exec, id, List.of(pipe.sink(), kernel.duplicate(pipe.sink())));
        settle();
        return pipe;
    }

    private void isHostile(String word) throws Exception {
        puppet.ended().get(SOON, TimeUnit.SECONDS);
        assertThat(link.failure())
                .get()
                .satisfies(failure -> assertThat(failure.detail()).contains(word));
    }

    private void says(GuestFrame frame) {
        for (int i = 0; i < MANY && puppet.say(frame); i++) {
            assertThat(puppet.heard()).isEmpty();
        }
    }

    @Test
    void aCommandIsLostOnce() throws Exception {
        try (Pipe output = command(7)) {
            says(Puppet.lost(7));
            isHostile("does not run");
            assertThat(output.source().isOpen()).isTrue();
        }
    }

    @Test
    void aCommandThatWasNeverSentCannotBeLost() throws Exception {
        says(Puppet.lost(8));
        isHostile("does not run");
    }

    @Test
    void theSandboxClosesOnce() throws Exception {
        says(Puppet.closed());
        isHostile("closed twice");
    }

    /** A job whose output stays open is killed through its lease; whatever waits for the machine must hear of it. */
    @Test
    void aMachineThatIsKilledWhileItIsHeardLeavesNobodyWaiting() throws Exception {
        try (Pipe output = command(7)) {
            CompletableFuture<CgroupUsage> usage = link.askUsage();
            settle();
            new VmLease(context.reactor(), puppet, link).kill();
            puppet.sandboxGone().get(SOON, TimeUnit.SECONDS);
            usage.get(SOON, TimeUnit.SECONDS);
            settle();
            kernel.nonBlocking(output.source());
            assertThat(kernel.read(output.source(), ByteBuffer.allocateDirect(1)))
                    .as("the end of its output")
                    .isZero();
        }
    }

    /** The machine may also close its channel itself. */
    @Test
    void aChannelThatIsClosedUnderneathLeavesNobodyWaiting() throws Exception {
        CompletableFuture<CgroupUsage> usage = link.askUsage();
        settle();
        puppet.kill();
        puppet.sandboxGone().get(SOON, TimeUnit.SECONDS);
        usage.get(SOON, TimeUnit.SECONDS);
    }
}
