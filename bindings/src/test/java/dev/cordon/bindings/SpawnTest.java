package dev.cordon.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.OpenFlag;
import dev.cordon.bindings.value.WaitStatus;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting programs while the JVM does what JVMs do. */
class SpawnTest {
    /** Reports its open descriptors, blocked signals and environment over descriptor 3. */
    private static final String PROBE = """
        #include <fcntl.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <unistd.h>
        extern char **environ;
        int main(int argc, char **argv) {
            char text[4096];
            int at = 0;
            for (int fd = 0; fd < 1024; fd++)
                if (fcntl(fd, F_GETFD) >= 0) at += snprintf(text + at, sizeof text - at, "%d ", fd);
            at += snprintf(text + at, sizeof text - at, "argc=%d env=%d", argc, environ[0] != NULL);
            return send(3, text, at, 0) == at && !strcmp(argv[0], "cordon-supervisor") ? 7 : 1;
        }
        """;

    private static final String EXPECTED = "0 1 2 3 argc=1 env=0";

    private final Kernel kernel = NativeParts.load().kernel();
    private final AtomicBoolean done = new AtomicBoolean();
    private final List<Thread> allocators = new ArrayList<>();

    @TempDir
    Path directory;

    @BeforeEach
    void allocateMeanwhile() {
        for (int i = 0; i < 2; i++) {
            allocators.add(Thread.ofPlatform().start(() -> {
                List<byte[]> live = new ArrayList<>();
                while (!done.get()) {
                    live.add(new byte[100_000]);
                    if (live.size() > 500) {
                        live.clear();
                    }
                }
            }));
        }
    }

    @AfterEach
    void stopAllocating() throws InterruptedException {
        done.set(true);
        for (Thread allocator : allocators) {
            allocator.join();
        }
    }

    @Test
    void fiveHundredProgramsSeeOnlyTheirDescriptors() throws Exception {
        byte[] program = Files.readAllBytes(CProgram.compile(directory, "probe", PROBE, "-static"));
        List<ServerSocket> sockets = new ArrayList<>();
        try (Fd sealed = kernel.sealed("probe", program)) {
            for (int i = 0; i < 50; i++) {
                sockets.add(new ServerSocket(0));
            }
            spawnOnce(sealed);
            long before = openDescriptors();
            for (int i = 0; i < 500; i++) {
                spawnOnce(sealed);
            }
            assertThat(openDescriptors()).isEqualTo(before);
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private void spawnOnce(Fd program) throws ErrnoException {
        try (SocketPair channel = kernel.channel();
                PollSet poll = kernel.pollSet()) {
            SpawnedProgram spawned = kernel.spawn(program, channel.theirs(), null, null, false);
            try (Fd pidfd = spawned.pidfd()) {
                poll.set(pidfd, PollSet.READABLE, 1);
                poll.await(-1, (token, events) -> {});
                ReceivedInput incoming = kernel.receive(channel.ours());
                assertThat(incoming)
                        .isInstanceOfSatisfying(
                                ReceivedInput.Message.class,
                                message -> assertThat(StandardCharsets.UTF_8
                                                .decode(message.packet())
                                                .toString())
                                        .isEqualTo(EXPECTED));
                assertThat(kernel.reap(pidfd)).isEqualTo(Optional.of(new WaitStatus(7 << 8)));
            }
        }
    }

    @Test
    void aRunningProgramIsNotReaped() throws Exception {
        Path program = CProgram.compile(
                directory, "wait", "#include <unistd.h>\nint main(void) { char c; return (int)read(3, &c, 1); }\n");
        try (SocketPair channel = kernel.channel();
                PollSet poll = kernel.pollSet();
                Fd opened = kernel.open(program, Set.of(OpenFlag.PATH), 0);
                Fd pidfd = kernel.spawn(opened, channel.theirs(), null, null, false)
                        .pidfd()) {
            assertThat(kernel.reap(pidfd)).isEmpty();
            kernel.pidfdSendSignal(pidfd, 9);
            poll.set(pidfd, PollSet.READABLE, 1);
            poll.await(-1, (token, events) -> {});
            WaitStatus status = kernel.reap(pidfd).orElseThrow();
            assertThat(status.signal()).isEqualTo(9);
            assertThat(status.exited()).isFalse();
            assertThatThrownBy(() -> kernel.reap(pidfd)).hasMessage("cordon_reap: ECHILD");
        }
    }

    @Test
    void aProgramOfTheHostGetsTheGivenDescriptors() throws Exception {
        List<String> argv = List.of("sh", "-c", "echo -n $PATH; ls /proc/self/fd >&3");
        try (SocketPair output = kernel.stream();
                SocketPair listing = kernel.stream();
                PollSet poll = kernel.pollSet();
                Fd none = kernel.open(Path.of("/dev/null"), Set.of(OpenFlag.WRITE), 0);
                Fd pidfd = kernel.start(
                                Path.of("/bin/sh"), argv, List.of(none, output.theirs(), none, listing.theirs()))
                        .pidfd()) {
            poll.set(pidfd, PollSet.READABLE, 1);
            poll.await(-1, (token, events) -> {});
            assertThat(kernel.reap(pidfd)).isEqualTo(Optional.of(new WaitStatus(0)));
            assertThat(read(output.ours())).isEqualTo("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin");
            // The last is the directory that ls itself opens.
            assertThat(read(listing.ours())).isEqualTo("0\n1\n2\n3\n4\n");
        }
        assertThatThrownBy(() -> kernel.start(Path.of("/nonexistent"), argv, List.of()))
                .hasMessage("start /nonexistent: ENOENT");
    }

    private String read(Fd fd) throws ErrnoException {
        ByteBuffer room = ByteBuffer.allocateDirect(4096);
        kernel.read(fd, room);
        return StandardCharsets.UTF_8.decode(room.flip()).toString();
    }

    @Test
    void whatCannotBeExecutedIsReportedAsItsErrno() throws Exception {
        try (SocketPair channel = kernel.channel();
                Fd text = kernel.sealed("text", "no program".getBytes(StandardCharsets.UTF_8))) {
            assertThatThrownBy(() -> kernel.spawn(text, channel.theirs(), null, null, false))
                    .hasMessage("cordon_spawn: ENOEXEC");
        }
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }
}
