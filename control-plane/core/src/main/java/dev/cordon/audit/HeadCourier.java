package dev.cordon.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Takes heads to a journal by a thread of its own, the newest alone when they come faster: a journal that stands still holds no job. */
final class HeadCourier implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final HeadJournal journal;
    private final Path directory;
    private final Thread thread;
    private Verifier.@Nullable Anchor next;
    private boolean closing;

    HeadCourier(HeadJournal journal, Path directory) {
        this.journal = journal;
        this.directory = directory;
        this.thread = Thread.ofPlatform().name("cordon-audit-head").daemon().unstarted(this::work);
        this.thread.start();
    }

    synchronized void take(Mark head) {
        next = new Verifier.Anchor(head.sequence(), head.hash());
        notifyAll();
    }

    private void work() {
        boolean failing = false;
        for (Verifier.Anchor head = awaited(); head != null; head = awaited()) {
            try {
                journal.send(head, directory);
                failing = false;
            } catch (IOException | RuntimeException | Error e) {
                if (!failing) {
                    LogNotices.headNotKept(e);
                }
                failing = true;
            }
        }
    }

    private synchronized Verifier.@Nullable Anchor awaited() {
        while (next == null && !closing) {
            try {
                wait();
            } catch (InterruptedException e) {
                return null;
            }
        }
        Verifier.Anchor head = next;
        next = null;
        return head;
    }

    /** Returns when the last head is sent, or nobody takes it. */
    @Override
    public void close() {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        try {
            boolean _ = thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
