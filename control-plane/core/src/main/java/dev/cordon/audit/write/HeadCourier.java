package dev.cordon.audit.write;

import dev.cordon.audit.file.LogPosition;
import dev.cordon.audit.verify.HeadJournal;
import dev.cordon.audit.verify.LogVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes heads to a journal by a thread of its own, the newest alone when they come faster: a journal that stands still holds no job. A head
 * that could not be sent is tried again until it is, or a newer one is there.
 */
final class HeadCourier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.cordon.audit");
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final HeadJournal journal;
    private final Path directory;
    private final Thread thread;
    private LogVerifier.@Nullable Anchor next;
    private boolean closing;
    private boolean lastTried;

    HeadCourier(HeadJournal journal, Path directory) {
        this.journal = journal;
        this.directory = directory;
        this.thread = Thread.ofPlatform().name("cordon-audit-head").daemon().unstarted(this::work);
        this.thread.start();
    }

    synchronized void take(LogPosition head) {
        next = new LogVerifier.Anchor(head.sequence(), head.hash());
        notifyAll();
    }

    private void work() {
        boolean failing = false;
        for (LogVerifier.Anchor head = awaited(false); head != null; head = awaited(failing)) {
            try {
                journal.send(head, directory);
                failing = false;
            } catch (IOException | RuntimeException | Error e) {
                if (!failing) {
                    LOG.warn("a head of the audit log could not be kept outside of it: {}", e.toString());
                }
                failing = true;
                keep(head);
            }
        }
    }

    private synchronized void keep(LogVerifier.Anchor unsent) {
        next = next == null ? unsent : next;
    }

    /** The next to send, after a while when the last could not be; null at the end, before which what is left is tried once. */
    private synchronized LogVerifier.@Nullable Anchor awaited(boolean failing) {
        long from = System.nanoTime() + (failing ? RETRY.toNanos() : 0);
        try {
            while (!closing && (next == null || from - System.nanoTime() > 0)) {
                wait(next == null ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(from - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            return null;
        }
        if (lastTried) {
            return null;
        }
        lastTried = closing;
        LogVerifier.Anchor head = next;
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
