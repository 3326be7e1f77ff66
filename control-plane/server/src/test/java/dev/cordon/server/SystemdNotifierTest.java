package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What systemd hears. The listener is Python's, because Java has no datagrams over unix sockets. */
class SystemdNotifierTest {
    private static final String LISTENER = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.bind(sys.argv[1])
        print("bound", flush=True)
        while True: print(s.recv(4096).decode().replace("\\n", ";"), flush=True)
        """;

    @TempDir
    Path directory;

    @Test
    void theEnvironmentSaysWhoListens() {
        assertThat(SystemdNotifier.of(Map.of(), 7).watchdog()).isEmpty();
        assertThat(SystemdNotifier.of(Map.of("NOTIFY_SOCKET", "/x", "WATCHDOG_USEC", "3000000"), 7)
                        .watchdog())
                .contains(Duration.ofSeconds(3));
        assertThat(SystemdNotifier.of(Map.of("NOTIFY_SOCKET", "/x", "WATCHDOG_USEC", "3000000", "WATCHDOG_PID", "8"), 7)
                        .watchdog())
                .isEmpty();
        assertThat(SystemdNotifier.of(Map.of("NOTIFY_SOCKET", "/x", "WATCHDOG_USEC", "soon"), 7)
                        .watchdog())
                .isEmpty();
    }

    @Test
    void theServiceTellsThatItIsReadyAndAlive() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3; apt-get install python3-minimal");
        Path socket = directory.resolve("notify");
        Process listener = new ProcessBuilder("python3", "-c", LISTENER, socket.toString()).start();
        try (TestService service = new TestService(directory);
                BufferedReader heard = listener.inputReader()) {
            assertThat(heard.readLine()).isEqualTo("bound");
            SystemdNotifier systemd =
                    SystemdNotifier.of(Map.of("NOTIFY_SOCKET", socket.toString(), "WATCHDOG_USEC", "300000"), 1);
            systemd.ready("here");
            assertThat(heard.readLine()).isEqualTo("READY=1;STATUS=here");
            InetSocketAddress door = new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port());
            try (SystemdWatchdog _ =
                    SystemdWatchdog.start(systemd, systemd.watchdog().orElseThrow(), door)) {
                assertThat(heard.readLine()).isEqualTo("WATCHDOG=1");
                assertThat(heard.readLine()).isEqualTo("WATCHDOG=1");
            }
            systemd.stopping();
            assertThat(heard.lines()
                            .dropWhile(line -> line.equals("WATCHDOG=1"))
                            .findFirst())
                    .contains("STOPPING=1;STATUS=ending jobs");
        } finally {
            listener.destroyForcibly();
        }
    }

    /** A door behind which nobody answers: connections are taken by the kernel alone. */
    @Test
    void aServiceThatDoesNotAnswerIsNotAlive() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(SystemdWatchdog.answers(mute.getLocalSocketAddress(), 200))
                    .isFalse();
        }
    }
}
