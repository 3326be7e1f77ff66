package dev.cordon.engine.vm.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** THREATS H-09: a guest that reads nothing cannot make the host keep more and more for it. */
class GuestFlowTest {
    private static final int SOON = 20;
    private static final int ROUNDS = 1000;

    private Kernel kernel;
    private EngineContext context;
    private Puppet puppet;
    private GuestPort port;
    private final CompletableFuture<String> broken = new CompletableFuture<>();

    private final class Ears implements GuestPort.Events {
        @Override
        public void frame(GuestFrame frame) {}

        @Override
        public void broken(String why) {
            broken.complete(why);
        }

        @Override
        public void ended() {}
    }

    @BeforeEach
    void open() throws ErrnoException {
        kernel = NativeParts.load().kernel();
        Reactor reactor = new Reactor(kernel);
        reactor.start();
        context = new EngineContext(kernel, reactor, ByteBuffer.allocateDirect(64 * 1024));
        puppet = new Puppet(kernel);
        port = new GuestPort(context, puppet.channel(), new Ears());
    }

    @AfterEach
    void close() {
        context.reactor().close();
        puppet.close();
    }

    private <T> T onReactor(Callable<T> task) throws Exception {
        CompletableFuture<T> done = new CompletableFuture<>();
        context.reactor().execute(() -> {
            try {
                done.complete(task.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done.get(SOON, TimeUnit.SECONDS);
    }

    private GuestStream stream(GuestAttachment.Kind kind, Pipe pipe) throws ErrnoException {
        boolean in = kind == GuestAttachment.Kind.TO_GUEST;
        kernel.nonBlocking(in ? pipe.sink() : pipe.source());
        return new GuestStream(context, port, new GuestAttachment(kind, 1), in ? pipe.source() : pipe.sink(), () -> {});
    }

    @Test
    void creditForWhatNeverReachedTheGuestIsHostile() throws Exception {
        Pipe pipe = kernel.pipe();
        GuestStream stream = stream(GuestAttachment.Kind.TO_GUEST, pipe);
        ByteBuffer piece = ByteBuffer.allocateDirect(GuestFrame.CHUNK);
        kernel.write(pipe.sink(), piece);
        onReactor(() -> true);
        onReactor(() -> true); // what was readable before the first was read before the second
        int rounds = onReactor(() -> {
            int round = 0;
            try {
                for (; round < ROUNDS; round++) {
                    kernel.write(pipe.sink(), piece.clear());
                    stream.credit(GuestFrame.CHUNK);
                }
            } catch (HostileGuest e) {
                // as it should be
            }
            stream.release();
            return round;
        });
        assertThat(rounds).isBetween(1, ROUNDS - 1);
        pipe.close();
    }

    @Test
    void dataBeyondTheCreditThatReachedTheGuestIsHostile() throws Exception {
        Pipe pipe = kernel.pipe();
        GuestStream stream = stream(GuestAttachment.Kind.FROM_GUEST, pipe);
        ByteBuffer piece = ByteBuffer.allocateDirect(GuestFrame.CHUNK);
        int rounds = onReactor(() -> {
            int round = 0;
            try {
                for (; round < ROUNDS; round++) {
                    stream.data(new byte[GuestFrame.CHUNK]);
                    kernel.read(pipe.source(), piece.clear()); // somebody takes it, so that credit is owed
                }
            } catch (HostileGuest e) {
                // as it should be
            }
            stream.release();
            return round;
        });
        assertThat(rounds).isBetween(GuestFrame.WINDOW / GuestFrame.CHUNK, ROUNDS - 1);
        pipe.close();
    }

    @Test
    void aGuestThatReadsGetsAnyAmount() throws Exception {
        Pipe pipe = kernel.pipe();
        GuestStream stream = stream(GuestAttachment.Kind.FROM_GUEST, pipe);
        onReactor(() -> {
            port.listen();
            return true;
        });
        ByteBuffer piece = ByteBuffer.allocateDirect(GuestFrame.CHUNK);
        ByteBuffer credit = ByteBuffer.allocateDirect(GuestFrame.CHUNK);
        for (int round = 0; round < ROUNDS; round++) {
            onReactor(() -> {
                stream.data(new byte[GuestFrame.CHUNK]);
                return kernel.read(pipe.source(), piece.clear());
            });
            kernel.read(puppet.theirs(), credit.clear());
        }
        onReactor(() -> {
            stream.release();
            port.close();
            return true;
        });
        assertThat(broken).isNotDone();
        pipe.close();
    }

    @Test
    void questionsThatAreNeverReadEndTheMachine() throws Exception {
        GuestFrame content = GuestFrames.content(1, new byte[GuestFrame.CHUNK]).getFirst();
        onReactor(() -> {
            for (int i = 0; i <= GuestPort.MOST_WAITING / GuestFrame.CHUNK + ROUNDS && !broken.isDone(); i++) {
                port.send(content);
            }
            return true;
        });
        assertThat(broken.get(SOON, TimeUnit.SECONDS)).contains("takes nothing");
    }
}
