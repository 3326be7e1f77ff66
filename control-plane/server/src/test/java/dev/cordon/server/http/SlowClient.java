package dev.cordon.server.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A client that begins a request and then sends nothing more, or a byte each half second. */
final class SlowClient implements AutoCloseable {
    private final Socket socket;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    SlowClient(int port, String beginning, boolean trickles) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
        if (trickles) {
            var _ = executor.scheduleAtFixedRate(this::trickle, 500, 500, TimeUnit.MILLISECONDS);
        }
    }

    private void trickle() {
        try {
            socket.getOutputStream().write('x');
        } catch (IOException cut) {
            executor.shutdown();
        }
    }

    /** Returns when the server has ended the connection, whatever it said before. */
    void awaitCut(Duration patience) throws IOException {
        socket.setSoTimeout((int) patience.toMillis());
        readToTheEnd(socket);
    }

    /** Returns when the other side has ended the connection; its time limit is the socket's. */
    static void readToTheEnd(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // what it says is not looked at
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("still connected", e);
        } catch (IOException reset) {
            // also an end
        }
    }

    @Override
    public void close() throws IOException {
        executor.shutdownNow();
        socket.close();
    }
}
