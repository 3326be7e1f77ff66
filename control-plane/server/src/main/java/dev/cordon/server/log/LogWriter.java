package dev.cordon.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import dev.cordon.vm.time.RetryBackoff;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes lines by a thread of its own, so that no job and no request waits for who reads the log. When the reader stands still, lines that
 * find no room are dropped and counted; a line says how many as soon as one can be written again.
 */
final class LogWriter extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private final LogLine layout;
    private final OutputStream target;
    private final ArrayBlockingQueue<byte[]> waiting;
    private final AtomicLong owed = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /** With room for so many lines that wait. */
    LogWriter(LogLine layout, OutputStream target, int room) {
        this.layout = layout;
        this.waiting = new ArrayBlockingQueue<>(room);
        this.target = target;
    }

    @Override
    public void start() {
        super.start();
        Thread.ofPlatform().daemon().name("cordon-log").start(this::write);
    }

    @Override
    protected void append(ILoggingEvent event) {
        owed.incrementAndGet();
        if (!waiting.offer(layout.doLayout(event).getBytes(StandardCharsets.UTF_8))) {
            owed.decrementAndGet();
            dropped.incrementAndGet();
        }
    }

    /** How many lines were dropped. */
    long dropped() {
        return dropped.get();
    }

    private void write() {
        long told = 0;
        while (true) {
            try {
                put(waiting.take());
                owed.decrementAndGet();
                long now = dropped.get();
                if (now > told) {
                    put(notice(now - told));
                    told = now;
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts the writer of the log", e);
            }
        }
    }

    /** A line that cannot be written, because the reader is gone, is one that is dropped. */
    private void put(byte[] line) {
        try {
            target.write(line);
            target.flush();
        } catch (IOException gone) {
            dropped.incrementAndGet();
        }
    }

    private byte[] notice(long lines) {
        LoggerContext own = new LoggerContext();
        LoggingEvent event = new LoggingEvent(
                LogWriter.class.getName(),
                own.getLogger(LogWriter.class),
                Level.WARN,
                "{} lines of the log were dropped: nobody read it",
                null,
                new Object[] {lines});
        event.setMDCPropertyMap(Map.of());
        return layout.doLayout(event).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns when everything is written, or the reader has not taken it for so long. */
    void drain(Duration patience) {
        RetryBackoff.until(patience, () -> owed.get() <= 0);
    }
}
