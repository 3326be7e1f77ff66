package dev.cordon.server;

import dev.cordon.host.HostSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What systemd is told about this process, over the socket of sd_notify(3). Nothing is told where nobody asked: without NOTIFY_SOCKET
 * every method does nothing.
 */
final class SystemdNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(SystemdNotifier.class);

    private final String socket;
    private final Optional<Duration> watchdog;

    private SystemdNotifier(String socket, Optional<Duration> watchdog) {
        this.socket = socket;
        this.watchdog = watchdog;
    }

    /** As this process's environment says. */
    static SystemdNotifier of(Map<String, String> environment, long pid) {
        String socket = environment.getOrDefault("NOTIFY_SOCKET", "");
        String meant = environment.getOrDefault("WATCHDOG_PID", Long.toString(pid));
        String micros = environment.getOrDefault("WATCHDOG_USEC", "");
        boolean ours = meant.equals(Long.toString(pid)) && micros.matches("[1-9]\\d{0,17}");
        return new SystemdNotifier(
                socket, ours ? Optional.of(Duration.ofNanos(Long.parseLong(micros) * 1_000L)) : Optional.empty());
    }

    /** How often it wants to hear {@link #alive}; empty when it does not watch. */
    Optional<Duration> watchdog() {
        return socket.isEmpty() ? Optional.empty() : watchdog;
    }

    /** The service answers. */
    void ready(String status) {
        tell("READY=1\nSTATUS=" + status);
    }

    /** The service ends its jobs. */
    void stopping() {
        tell("STOPPING=1\nSTATUS=ending jobs");
    }

    /** The service still answers. */
    void alive() {
        tell("WATCHDOG=1");
    }

    private void tell(String message) {
        if (socket.isEmpty()) {
            return;
        }
        try {
            HostSocket.send(socket, message);
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("the service manager cannot be told: {}", e.getMessage());
        }
    }
}
