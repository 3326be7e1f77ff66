package dev.cordon.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.OpenFlag;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelTest {
    private static final String RECEIVER = """
        #include <stdio.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/un.h>
        int main(int argc, char **argv) {
            struct sockaddr_un address = {.sun_family = AF_UNIX};
            char message[100];
            strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
            socklen_t length = 2 + strlen(argv[1]) + (argv[1][0] != '@');
            if (argv[1][0] == '@') address.sun_path[0] = 0;
            int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
            if (bind(fd, (struct sockaddr *)&address, length) != 0) return 1;
            puts("bound");
            fflush(stdout);
            ssize_t count = recv(fd, message, sizeof message, 0);
            if (count < 0) return 2;
            printf("%.*s\\n", (int)count, message);
            return argc - 2;
        }
        """;

    private final Kernel kernel = NativeParts.load().kernel();

    @TempDir
    Path directory;

    @Test
    void messagesCarryDescriptors() throws Exception {
        try (SocketPair channel = kernel.channel();
                Pipe pipe = kernel.pipe()) {
            assertThat(kernel.receive(channel.theirs())).isEqualTo(new ReceivedInput.Nothing());
            byte[] message = "hello".getBytes(StandardCharsets.UTF_8);
            assertThat(kernel.send(channel.ours(), message, List.of(pipe.source(), pipe.sink())))
                    .isTrue();
            ReceivedInput.Message received = (ReceivedInput.Message) kernel.receive(channel.theirs());
            assertThat(received.packet()).isEqualTo(ByteBuffer.wrap(message));
            assertThat(received.fds()).hasSize(2);
            write(received.fds().get(1), "through");
            assertThat(read(pipe.source())).isEqualTo("through");
            received.fds().forEach(Fd::close);
            channel.ours().close();
            assertThat(kernel.receive(channel.theirs())).isEqualTo(new ReceivedInput.EndOfFile());
        }
    }

    /** The receiver is a program of its own: Java has no datagrams over unix sockets. */
    @Test
    void datagramsArriveAtPathsAndAtAbstractNames() throws Exception {
        Path receiver = CProgram.compile(directory, "receiver", RECEIVER);
        String unheard = directory.resolve("nobody").toString();
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(() -> kernel.sendDatagram(unheard, new byte[1]))
                .matches(e -> e.errno() == Errno.ENOENT);
        assertThatThrownBy(() -> kernel.sendDatagram("relative", new byte[1])).hasMessageContaining("absolute path");
        String unique = "cordon-test-" + ProcessHandle.current().pid();
        for (String name : List.of(directory.resolve("socket").toString(), "@" + unique)) {
            Process process = new ProcessBuilder(receiver.toString(), name).start();
            assertThat(process.inputReader().readLine()).isEqualTo("bound");
            kernel.sendDatagram(name, "READY=1\nSTATUS=x".getBytes(StandardCharsets.UTF_8));
            assertThat(process.inputReader().lines()).containsExactly("READY=1", "STATUS=x");
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    void aFullQueueIsNoError() throws Exception {
        try (SocketPair channel = kernel.channel()) {
            byte[] message = new byte[60000];
            int sent = 0;
            while (kernel.send(channel.ours(), message, List.of())) {
                sent++;
            }
            assertThat(sent).isPositive();
        }
    }

    @Test
    void aDeadPeerIsBrokenPipe() throws Exception {
        try (SocketPair channel = kernel.channel()) {
            channel.theirs().close();
            assertThatExceptionOfType(ErrnoException.class)
                    .isThrownBy(() -> kernel.send(channel.ours(), new byte[1], List.of()))
                    .matches(e -> e.errno() == Errno.EPIPE && "EPIPE".equals(e.errnoName()))
                    .withMessage("cordon_send: EPIPE");
        }
    }

    @Test
    void nonBlockingPipesSayWhenTheyWouldBlock() throws Exception {
        try (Pipe pipe = kernel.pipe()) {
            kernel.nonBlocking(pipe.source());
            ByteBuffer room = ByteBuffer.allocateDirect(16);
            assertThat(kernel.read(pipe.source(), room)).isEqualTo(Kernel.WOULD_BLOCK);
            write(pipe.sink(), "abc");
            assertThat(kernel.read(pipe.source(), room)).isEqualTo(3);
            assertThat(room.position()).isEqualTo(3);
            pipe.sink().close();
            assertThat(kernel.read(pipe.source(), room)).isZero();
        }
    }

    @Test
    void sealedBytesCannotBeChanged() throws Exception {
        try (Fd sealed = kernel.sealed("test", "content".getBytes(StandardCharsets.UTF_8))) {
            assertThat(Files.readString(Path.of("/proc/self/fd/" + sealed.number())))
                    .isEqualTo("content");
            assertThatExceptionOfType(ErrnoException.class)
                    .isThrownBy(() -> write(sealed, "x"))
                    .matches(e -> e.errno() == Errno.EPERM);
        }
    }

    @Test
    void aSealedCopyKeepsContentAndHoles() throws Exception {
        Path file = directory.resolve("memory");
        try (RandomAccessFile memory = new RandomAccessFile(file.toFile(), "rw")) {
            memory.setLength(16 << 20);
            memory.seek(8 << 20);
            memory.writeBytes("content");
        }
        try (Fd source = kernel.open(file, Set.of(OpenFlag.READ), 0);
                Fd copy = kernel.sealedCopy("test", source)) {
            Path path = Path.of("/proc/self/fd/" + copy.number());
            assertThat(Files.mismatch(path, file)).isEqualTo(-1);
            assertThatExceptionOfType(ErrnoException.class)
                    .isThrownBy(() -> write(copy, "x"))
                    .matches(e -> e.errno() == Errno.EPERM);
        }
    }

    @Test
    void memoryIsAWritableHole() throws Exception {
        try (Fd memory = kernel.memory("test", 1L << 32)) {
            Path path = Path.of("/proc/self/fd/" + memory.number());
            assertThat(Files.size(path)).isEqualTo(1L << 32);
            write(memory, "content");
            assertThat(Files.size(path)).isEqualTo(1L << 32);
        }
    }

    @Test
    void aStreamHasNoBoundsBetweenMessages() throws Exception {
        try (SocketPair stream = kernel.stream()) {
            ByteBuffer room = ByteBuffer.allocateDirect(16);
            assertThat(kernel.read(stream.ours(), room)).isEqualTo(Kernel.WOULD_BLOCK);
            write(stream.theirs(), "ab");
            write(stream.theirs(), "cd");
            assertThat(kernel.read(stream.ours(), room)).isEqualTo(4);
        }
    }

    @Test
    void thePollSetReportsTokensAndWakesUp() throws Exception {
        try (PollSet poll = kernel.pollSet();
                Pipe pipe = kernel.pipe();
                PollWakeup wakeup = kernel.wakeup()) {
            poll.set(pipe.source(), PollSet.READABLE, 0x1234_5678_9abc_def0L);
            poll.set(wakeup.fd(), PollSet.READABLE, 2);
            List<String> seen = new ArrayList<>();
            PollSet.Listener listener = (token, events) -> seen.add(Long.toHexString(token) + ":" + events);
            poll.await(0, listener);
            assertThat(seen).isEmpty();
            write(pipe.sink(), "x");
            poll.await(-1, listener);
            assertThat(seen).containsExactly("123456789abcdef0:1");
            poll.remove(pipe.source());
            seen.clear();
            wakeup.wake();
            wakeup.wake();
            poll.await(-1, listener);
            wakeup.reset();
            poll.await(0, listener);
            assertThat(seen).containsExactly("2:1");
            poll.set(pipe.source(), PollSet.READABLE, 3);
            read(pipe.source());
            pipe.sink().close();
            poll.await(-1, listener);
            assertThat(seen).containsExactly("2:1", "3:" + PollSet.HANG_UP);
        }
    }

    @Test
    void locksExcludeAnotherOpenFile() throws Exception {
        Path file = directory.resolve("lock");
        Set<OpenFlag> flags = Set.of(OpenFlag.READ_WRITE, OpenFlag.CREATE);
        try (Fd first = kernel.open(file, flags, 0600);
                Fd second = kernel.open(file, flags, 0600)) {
            assertThat(kernel.lock(first)).isTrue();
            assertThat(kernel.lock(second)).isFalse();
        }
    }

    @Test
    void aDuplicateIsOfTheSameOpenFile() throws Exception {
        Files.writeString(directory.resolve("file"), "text");
        try (Fd file = kernel.open(directory.resolve("file"), Set.of(OpenFlag.READ), 0);
                Fd copy = kernel.duplicate(file)) {
            assertThat(read(copy)).isEqualTo("text");
            assertThat(read(file)).isEmpty();
        }
        assertThatThrownBy(() -> kernel.open(directory.resolve("none"), Set.of(OpenFlag.READ), 0))
                .hasMessage("open " + directory.resolve("none") + ": ENOENT");
    }

    @Test
    void landlockIsThereWhereTheKernelListsIt() throws Exception {
        Path list = Path.of("/sys/kernel/security/lsm");
        boolean listed = Files.isReadable(list) && Files.readString(list).contains("landlock");
        assertThat(kernel.landlockAbi() > 0 || !listed).isTrue();
    }

    @Test
    void theUserIsThatOfTheProcess() throws Exception {
        assertThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(kernel.geteuid());
    }

    @Test
    void everyThreadHasItsOwnErrno() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> futures = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                boolean absent = i % 2 == 0;
                Path path = absent ? directory.resolve("absent") : Path.of("/proc/self/status/below-a-file");
                int expected = absent ? Errno.ENOENT : Errno.ENOTDIR;
                Callable<Boolean> task = () -> failsWith(path, expected);
                futures.add(threads.submit(task));
            }
            for (Future<Boolean> future : futures) {
                assertThat(future.get()).isTrue();
            }
        }
    }

    private boolean failsWith(Path path, int expected) {
        for (int i = 0; i < 2000; i++) {
            try {
                kernel.open(path, Set.of(OpenFlag.READ), 0).close();
                return false;
            } catch (ErrnoException e) {
                if (e.errno() != expected) {
                    return false;
                }
            }
        }
        return true;
    }

    @Test
    void aDescriptorIsClosedOnce() throws Exception {
        Pipe pipe = kernel.pipe();
        int number = pipe.source().number();
        pipe.close();
        assertThat(pipe.source().isOpen()).isFalse();
        assertThatThrownBy(pipe.source()::number).isInstanceOf(IllegalStateException.class);
        pipe.close();
        assertThat(Files.exists(Path.of("/proc/self/fd/" + number))).isFalse();
    }

    @Test
    void textWithANulIsRefused() {
        assertThatThrownBy(() -> kernel.sealed("a\0b", new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }

    private void write(Fd fd, String text) throws ErrnoException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        kernel.write(fd, ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    }

    private String read(Fd fd) throws ErrnoException {
        ByteBuffer room = ByteBuffer.allocateDirect(100);
        kernel.read(fd, room);
        return StandardCharsets.UTF_8.decode(room.flip()).toString();
    }
}
