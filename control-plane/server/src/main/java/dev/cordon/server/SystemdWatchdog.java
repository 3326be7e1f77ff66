package dev.cordon.server;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the service manager that the service lives, as long as it does: before each word it asks its own front door for /healthz, as a
 * client would. A process whose listeners, selector or threads hang falls silent, and systemd starts another.
 */
final class SystemdWatchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemdWatchdog.class);
    private static final byte[] QUESTION =
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ScheduledExecutorService executor;

    private SystemdWatchdog(ScheduledExecutorService executor) {
        this.executor = executor;
    }

    /**
     * Starts to tell, three times in each period.
     *
     * @param door where to ask; null when only TLS is spoken: then that this thread runs has to be enough
     */
    static SystemdWatchdog start(SystemdNotifier systemd, Duration period, @Nullable SocketAddress door) {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("cordon-watchdog").factory());
        long step = Math.max(1, period.toMillis() / 3);
        var _ = executor.scheduleAtFixedRate(() -> look(systemd, step, door), 0, step, TimeUnit.MILLISECONDS);
        return new SystemdWatchdog(executor);
    }

    private static void look(SystemdNotifier systemd, long millis, @Nullable SocketAddress door) {
        try {
            if (door == null || answers(door, millis)) {
                systemd.alive();
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (RuntimeException e) {
            LOG.warn("the watchdog failed", e);
        }
        LOG.warn("the service does not answer itself within {} ms", millis);
    }

    static boolean answers(SocketAddress door, long millis) throws InterruptedException {
        try (SocketChannel channel = open(door)) {
            FutureTask<Boolean> answer = new FutureTask<>(() -> ask(channel, door));
            Thread.ofVirtual().start(answer);
            return answer.get(millis, TimeUnit.MILLISECONDS);
        } catch (IOException | ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static SocketChannel open(SocketAddress door) throws IOException {
        return door instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
    }

    private static boolean ask(SocketChannel channel, SocketAddress door) throws IOException {
        channel.connect(door);
        channel.write(ByteBuffer.wrap(QUESTION));
        byte[] answer = Channels.newInputStream(channel).readNBytes(12);
        return new String(answer, StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
