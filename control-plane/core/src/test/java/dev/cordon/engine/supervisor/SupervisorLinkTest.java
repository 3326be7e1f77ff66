package dev.cordon.engine.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.wire.reply.Reply;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The end of a supervisor, of which its reactor hears while somebody else has only begun to wait for it. */
final class SupervisorLinkTest {
    /** Tells by which thread it was told. */
    private record LastCall(CompletableFuture<Thread> by) implements SupervisorEvents {
        @Override
        public void received(int id, Reply reply, List<Fd> fds) {
            fds.forEach(Fd::close);
        }

        @Override
        public void gone() {
            by.complete(Thread.currentThread());
        }
    }

    private static final int TRIES = 100;

    /** Long for a killed process to end and for the reactor to hear of it. */
    private static final int LONG_AFTER_ITS_END = 300;

    private final NativeParts natives = NativeParts.load();
    private final Kernel kernel = natives.kernel();

    @Test
    void itIsReapedOnlyAfterWhoeverGaveItUpIsThrough() throws Exception {
        try (Reactor reactor = new Reactor(kernel)) {
            reactor.start();
            EngineContext context = new EngineContext(kernel, reactor, ByteBuffer.allocateDirect(1 << 16));
            boolean waited = false;
            for (int i = 0; i < TRIES && !waited; i++) {
                waited = waitsForItsEnd(context);
            }
            assertThat(waited).as("a supervisor that did not end at once").isTrue();
        }
    }

    /** Whether its end was still to come when it was given up: if not, the same thread reaps it. */
    private boolean waitsForItsEnd(EngineContext context) throws Exception {
        LastCall last = new LastCall(new CompletableFuture<>());
        SupervisorLink link = new SupervisorLink(context, natives.supervisorProgram(), null, false);
        link.report(last);
        synchronized (link) { // as one who gives it up and is not through
            link.abandon();
            if (last.by().isDone() && last.by().join().equals(Thread.currentThread())) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LONG_AFTER_ITS_END);
            assertThat(last.by()).isNotDone();
        }
        assertThat(last.by().get(10, TimeUnit.SECONDS)).isNotEqualTo(Thread.currentThread());
        return true;
    }
}
