package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.FileOp;
import dev.cordon.bindings.wire.request.FileRequest;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.stream.Reactor;
import dev.cordon.engine.vm.frame.FrameDecoder;
import dev.cordon.engine.vm.frame.GuestAttachment;
import dev.cordon.engine.vm.frame.GuestFrame;
import dev.cordon.engine.vm.frame.GuestPort;
import dev.cordon.engine.vm.frame.GuestStream;
import dev.cordon.engine.vm.frame.HostileGuest;
import dev.cordon.engine.vm.frame.Puppet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** THREATS H-09: whatever a guest says, the host neither fails nor allocates without bound, and the machine is ended. */
class HostileGuestLinkTest {
    private static final int ROUNDS = 300;
    private static final int FRAMES = 100;

    private Kernel kernel;
    private EngineContext context;

    @BeforeEach
    void open() throws ErrnoException {
        kernel = NativeParts.load().kernel();
        Reactor reactor = new Reactor(kernel);
        reactor.start();
        context = new EngineContext(kernel, reactor, ByteBuffer.allocateDirect(64 * 1024));
    }

    @AfterEach
    void close() {
        context.reactor().close();
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A frame with a plausible header, and a body that is right now and then. */
    private static byte[] frame(Random random) {
        int[] types = {1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 32, 33, 0, 255};
        int type = types[random.nextInt(types.length)];
        int length = switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> 8;
            case 2 -> 104;
            case 3 -> 272;
            case 4 -> 208 + random.nextInt(300);
            default -> random.nextInt(40_000);
        };
        byte[] body = random(random, length);
        if (length >= 4 && random.nextInt(4) != 0) {
            int stated = type == 16 ? 208 : length;
            ByteBuffer.wrap(body).order(ByteOrder.nativeOrder()).putInt(0, stated);
            if (type == 16 && length >= 208) {
                ByteBuffer fields = ByteBuffer.wrap(body).order(ByteOrder.nativeOrder());
                fields.putInt(4, 16 + random.nextInt(8))
                        .putInt(8, random.nextInt(4))
                        .putInt(12, random.nextInt(3));
                fields.putInt(16, random.nextInt(7)).putInt(20, GuestFrame.STREAM_BIT | random.nextInt(3));
            }
        }
        int id = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(5);
        ByteBuffer whole = ByteBuffer.allocate(16 + length).order(ByteOrder.nativeOrder());
        whole.putInt(random.nextInt(50) == 0 ? random.nextInt() : GuestFrame.MAGIC);
        whole.putShort((short) GuestFrame.VERSION).putShort((short) type);
        whole.putInt(random.nextInt(50) == 0 ? random.nextInt() : length)
                .putInt(id)
                .put(body);
        byte[] bytes = new byte[16 + length];
        whole.flip().get(bytes);
        return bytes;
    }

    private static int openDescriptors() throws IOException {
        int count = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : all) {
                count += each.toString().isEmpty() ? 0 : 1;
            }
        }
        return count;
    }

    @Test
    void whateverItSaysItIsEndedAndNothingIsLeft() throws Exception {
        long seed = Long.getLong("cordon.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        int before = openDescriptors();
        for (int round = 0; round < ROUNDS; round++) {
            Puppet puppet = new Puppet(kernel);
            GuestLink link = new GuestLink(context, puppet, GuestLink.Patience.USUAL);
            link.report(puppet);
            link.ground(new CgroupLimits(1 << 24, 10, 1_000_000));
            link.send(new FileRequest(FileOp.READ, "/a", 0), 1, List.of());
            link.send(new FileRequest(FileOp.WRITE, "/b", 0644), 2, List.of());
            link.listen();
            ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
            try {
                for (int i = 0; i < FRAMES; i++) {
                    buffer.clear().put(frame(random)).flip();
                    while (buffer.hasRemaining()) {
                        kernel.write(puppet.theirs(), buffer);
                    }
                }
            } catch (ErrnoException e) {
                assertThat(e.errnoName()).isIn("EPIPE", "ECONNRESET"); // it was hung up on
            }
            puppet.theirs().close(); // an honest end, in case nothing of it was hostile
            assertThat(puppet.ended().get(20, TimeUnit.SECONDS))
                    .as("seed %d", seed)
                    .isNotEmpty();
            puppet.sandboxGone().get(20, TimeUnit.SECONDS);
            CompletableFuture<Void> settled = new CompletableFuture<>();
            context.reactor().execute(() -> settled.complete(null));
            settled.get(20, TimeUnit.SECONDS);
            puppet.close();
        }
        assertThat(openDescriptors()).as("seed %d", seed).isLessThanOrEqualTo(before + 4);
    }

    @Test
    void aLengthOfFourGibibytesIsRefusedBeforeAnythingIsAllocated() {
        FrameDecoder decoder = new FrameDecoder();
        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        header.putInt(GuestFrame.MAGIC)
                .putShort((short) 1)
                .putShort((short) 17)
                .putInt(-1)
                .putInt(0)
                .flip();
        decoder.feed(header);
        assertThatExceptionOfType(HostileGuest.class).isThrownBy(decoder::next).withMessageContaining("4294967295");
    }

    @Test
    void moreThanTheWindowEndsTheMachine() throws Exception {
        Puppet puppet = new Puppet(kernel);
        GuestLink link = new GuestLink(context, puppet, GuestLink.Patience.USUAL);
        link.report(puppet);
        GuestPort port = new GuestPort(context, puppet.channel(), link);
        Pipe pipe = kernel.pipe();
        GuestStream stream = new GuestStream(
                context, port, new GuestAttachment(GuestAttachment.Kind.FROM_GUEST, 1), pipe.sink(), () -> {});
        CompletableFuture<Boolean> refused = new CompletableFuture<>();
        context.reactor().execute(() -> {
            try {
                for (int i = 0; i < 20; i++) {
                    stream.data(new byte[GuestFrame.CHUNK]); // nobody reads the pipe
                }
                refused.complete(false);
            } catch (HostileGuest e) {
                refused.complete(true);
            }
            stream.release();
        });
        assertThat(refused.get(20, TimeUnit.SECONDS)).isTrue();
        pipe.source().close();
        puppet.close();
    }

    @Test
    void silenceEndsTheMachineInTime() throws Exception {
        Puppet puppet = new Puppet(kernel);
        Duration moment = Duration.ofMillis(50);
        GuestLink link = new GuestLink(context, puppet, new GuestLink.Patience(moment, moment, moment));
        link.report(puppet);
        link.listen();
        puppet.sandboxGone().get(20, TimeUnit.SECONDS);
        assertThat(link.failure()).get().satisfies(failure -> {
            assertThat(failure.stage()).isEqualTo("machine");
            assertThat(failure.detail()).contains("has not answered");
        });
        puppet.close();
    }
}
