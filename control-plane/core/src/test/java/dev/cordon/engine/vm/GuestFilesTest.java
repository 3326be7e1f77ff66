package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileEndpoint;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import dev.cordon.engine.vm.frame.GuestAttachment;
import dev.cordon.engine.vm.frame.GuestFrame;
import dev.cordon.engine.vm.frame.Puppet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** THREATS H-09: a guest that promises a file's content and keeps it back holds up nobody else, and not for ever. */
class GuestFilesTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final int SOON = 20;

    private Kernel kernel;
    private EngineContext context;
    private Puppet puppet;

    @BeforeEach
    void open() throws ErrnoException {
        kernel = NativeParts.load().kernel();
        Reactor reactor = new Reactor(kernel);
        reactor.start();
        context = new EngineContext(kernel, reactor, ByteBuffer.allocateDirect(64 * 1024));
        puppet = new Puppet(kernel);
    }

    @AfterEach
    void close() throws Exception {
        CompletableFuture<Void> over = new CompletableFuture<>();
        context.reactor().execute(() -> over.complete(null));
        over.get(SOON, TimeUnit.SECONDS);
        context.reactor().close();
        puppet.close();
    }

    /** A machine that is never found silent: it answers what it is asked, but for content. */
    private GuestLink link(Duration standstill) {
        GuestLink link = new GuestLink(context, puppet, new GuestLink.Patience(HOUR, standstill, HOUR));
        link.report(puppet);
        link.listen();
        return link;
    }

    /** What the guest hands out for a request. */
    private Fd opened(GuestLink link, FileOp op, int id, GuestAttachment.Kind kind) throws Exception {
        link.send(new FileRequest(op, "/workspace/a", 0644), id, List.of());
        CompletableFuture<Void> sent = new CompletableFuture<>();
        context.reactor().execute(() -> sent.complete(null));
        sent.get(SOON, TimeUnit.SECONDS);
        puppet.say(Puppet.filed(id, 1 << 20, new GuestAttachment(kind, GuestFrame.STREAM_BIT | id)));
        return Objects.requireNonNull(puppet.descriptors().poll(SOON, TimeUnit.SECONDS), "no descriptor");
    }

    private void isGivenUp(GuestLink link, String word) throws Exception {
        puppet.ended().get(SOON, TimeUnit.SECONDS);
        assertThat(link.failure()).get().satisfies(failure -> {
            assertThat(failure.stage()).isEqualTo("machine");
            assertThat(failure.detail()).contains(word);
        });
    }

    @Test
    void contentThatNeverComesEndsTheMachine() throws Exception {
        GuestLink link = link(MOMENT);
        try (FileEndpoint file = link.content(opened(link, FileOp.READ, 1, GuestAttachment.Kind.FROM_GUEST))) {
            assertThatIOException()
                    .isThrownBy(() -> file.read(ByteBuffer.allocateDirect(10)))
                    .withMessageContaining("moved");
        }
        isGivenUp(link, "moved");
    }

    @Test
    void aListingThatNeverComesEndsTheMachine() throws Exception {
        GuestLink link = link(MOMENT);
        Fd directory = opened(link, FileOp.DIRECTORY, 1, GuestAttachment.Kind.LISTING);
        try (DirectoryListing listing = link.listing(directory, "/workspace")) {
            assertThatIOException().isThrownBy(listing::next).withMessageContaining("moved");
        }
        isGivenUp(link, "moved");
    }

    @Test
    void contentThatIsNeverTakenEndsTheMachine() throws Exception {
        GuestLink link = link(MOMENT);
        try (FileEndpoint file = link.content(opened(link, FileOp.WRITE, 1, GuestAttachment.Kind.TO_GUEST))) {
            assertThatIOException()
                    .isThrownBy(() -> file.write(ByteBuffer.allocateDirect(1 << 20)))
                    .withMessageContaining("moved");
        }
        isGivenUp(link, "moved");
    }

    @Test
    void aFileThatIsNeverSaidToBeWrittenEndsTheMachine() throws Exception {
        GuestLink link = link(MOMENT);
        opened(link, FileOp.WRITE, 1, GuestAttachment.Kind.TO_GUEST).close();
        assertThat(link.written(1).get(SOON, TimeUnit.SECONDS)).isEqualTo(Errno.ETIMEDOUT);
        isGivenUp(link, "written");
    }

    @Test
    void contentComesThroughHoweverSmallItsPieces() throws Exception {
        GuestLink link = link(HOUR);
        try (FileEndpoint file = link.content(opened(link, FileOp.READ, 1, GuestAttachment.Kind.FROM_GUEST))) {
            for (int i = 1; i < 100; i++) {
                CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> read(file));
                puppet.say(Puppet.data(GuestFrame.STREAM_BIT | 1, i));
                assertThat(read.get(SOON, TimeUnit.SECONDS)).isEqualTo(i);
            }
        }
    }

    private static int read(FileEndpoint file) {
        try {
            return file.read(ByteBuffer.allocateDirect(GuestFrame.CHUNK));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** More readers than there are carriers, none of which gets anything: everybody else goes on. */
    @Test
    void readersThatWaitDoNotStopVirtualThreads() throws Exception {
        GuestLink link = link(HOUR);
        int readers = 2 * Runtime.getRuntime().availableProcessors() + 2;
        CountDownLatch waiting = new CountDownLatch(readers);
        CountDownLatch over = new CountDownLatch(readers);
        List<FileEndpoint> files = new ArrayList<>();
        for (int id = 1; id <= readers; id++) {
            files.add(link.content(opened(link, FileOp.READ, id, GuestAttachment.Kind.FROM_GUEST)));
        }
        for (FileEndpoint file : files) {
            Thread.ofVirtual().start(() -> {
                waiting.countDown();
                try {
                    read(file);
                } catch (UncheckedIOException e) {
                    over.countDown();
                }
            });
        }
        try {
            assertThat(waiting.await(SOON, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> other = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> other.complete(null));
            other.get(SOON, TimeUnit.SECONDS);
        } finally {
            files.forEach(FileEndpoint::close);
        }
        assertThat(over.await(SOON, TimeUnit.SECONDS)).isTrue();
    }
}
