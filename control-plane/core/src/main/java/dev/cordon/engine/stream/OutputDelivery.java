package dev.cordon.engine.stream;

import dev.cordon.result.OutputListener;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands output to a listener on a thread of its own, in order. A listener that is slow makes {@link #offer} say so, and the reader stops
 * reading: the job waits in its write, and nothing piles up here.
 */
final class OutputDelivery {
    @SuppressWarnings("ArrayRecordComponent") // delivered once, never compared
    private record Piece(OutputListener.Source source, byte[] bytes) {}

    private static final Logger LOG = LoggerFactory.getLogger(OutputDelivery.class);

    /** Bytes that may wait for the listener. */
    private static final int ROOM = 256 * 1024;

    private final OutputListener listener;
    private final Runnable drained;
    private final Queue<Piece> queue = new ArrayDeque<>();
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private long waiting;
    private boolean running;
    private boolean closing;
    private boolean full;

    /**
     * A delivery.
     *
     * @param drained run when there is room again after {@link #offer} said that there is none
     */
    OutputDelivery(OutputListener listener, Runnable drained) {
        this.listener = listener;
        this.drained = drained;
    }

    /** Takes a piece. Returns whether there is room for more. */
    synchronized boolean offer(OutputListener.Source source, byte[] bytes) {
        queue.add(new Piece(source, bytes));
        waiting += bytes.length;
        if (!running) {
            running = true;
            Thread.ofVirtual().name("cordon-output").start(this::deliver);
        }
        // Only next() says that there is room again: whoever was told to stop must be told to go on.
        full |= waiting >= ROOM;
        return !full;
    }

    /** Nothing more comes. The future completes when the listener has heard everything. */
    synchronized CompletableFuture<Void> close() {
        closing = true;
        if (!running) {
            finished.complete(null);
        }
        return finished;
    }

    private void deliver() {
        for (Piece piece = next(); piece != null; piece = next()) {
            try {
                listener.output(piece.source(), piece.bytes());
            } catch (RuntimeException | Error e) {
                LOG.warn("an output listener failed", e);
            }
        }
    }

    private @Nullable Piece next() {
        boolean room = false;
        Piece piece;
        synchronized (this) {
            piece = queue.poll();
            if (piece == null) {
                running = false;
                if (closing) {
                    finished.complete(null);
                }
            } else {
                waiting -= piece.bytes().length;
            }
            if (full && waiting < ROOM / 2) {
                full = false;
                room = true;
            }
        }
        if (room) {
            drained.run();
        }
        return piece;
    }
}
