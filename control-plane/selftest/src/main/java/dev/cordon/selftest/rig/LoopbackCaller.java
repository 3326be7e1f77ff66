package dev.cordon.selftest.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Somebody on the host who tries to connect to a port of loopback again and again until it is closed. */
public final class LoopbackCaller implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final int PATIENCE_MS = 200;

    private final InetSocketAddress door;
    private final RepeatingThread repetition;
    private volatile boolean welcome;

    public LoopbackCaller(int port) throws IOException {
        door = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
        repetition = RepeatingThread.start(round -> knock());
    }

    private void knock() {
        try (Socket socket = new Socket()) {
            if (!welcome) {
                socket.connect(door, PATIENCE_MS);
                welcome = true;
            }
        } catch (IOException nobody) {
            // The next turn tries again.
        }
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    /** Whether somebody opened. */
    public boolean welcome() {
        return welcome;
    }

    @Override
    public void close() {
        repetition.close();
    }
}
