package dev.cordon.server.http;

import dev.cordon.server.config.ListenAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;

/**
 * Cuts connections that have been at the head of one request for too long. Jetty's idle timeout alone begins anew with every byte, so that a
 * client could hold a connection for hours with a header that never ends.
 */
public final class HeaderDeadline implements Connection.Listener, AutoCloseable {
    private static final Duration STEP = Duration.ofSeconds(5);

    private final Map<Connection, Progress> connections = new ConcurrentHashMap<>();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cordon-deadlines").factory());

    /**
     * How far a connection was when it last got further.
     *
     * @param requests whose headers had arrived
     * @param sent     bytes of answers: a response counts as out with its first one, and a stream goes on for hours
     * @param since    System.nanoTime of that
     */
    private record Progress(long requests, long sent, long since) {}

    public HeaderDeadline() {
        var _ = executor.scheduleWithFixedDelay(this::sweep, STEP.toSeconds(), STEP.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection
                instanceof ConnectionMetaData) { // one of HTTP: a terminal's may be silent, and has an end of its own
            connections.put(
                    connection, new Progress(connection.getMessagesIn(), connection.getBytesOut(), System.nanoTime()));
        }
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
    }

    /** How many are watched. */
    int watched() {
        return connections.size();
    }

    private void sweep() {
        long now = System.nanoTime();
        connections.forEach((connection, before) -> {
            long arrived = connection.getMessagesIn();
            long sent = connection.getBytesOut();
            boolean busy = arrived > connection.getMessagesOut();
            if (busy || arrived != before.requests() || sent != before.sent()) {
                connections.computeIfPresent(connection, (_, _) -> new Progress(arrived, sent, now));
            } else if (now - before.since() > ListenAddress.IDLE.toNanos()) {
                connection.getEndPoint().close();
            }
        });
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
