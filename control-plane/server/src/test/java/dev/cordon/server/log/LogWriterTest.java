package dev.cordon.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A log whose reader stands still. */
class LogWriterTest {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch reads = new CountDownLatch(1);
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final LogWriter writer = new LogWriter(new LogLine(LogLine.Style.TEXT), new Slow(), 2);

    private final class Slow extends OutputStream {
        @Override
        public void write(int single) throws IOException {
            throw new IOException("lines are written whole");
        }

        @Override
        public void write(byte[] line) throws IOException {
            arrived.countDown();
            try {
                reads.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            synchronized (read) {
                read.write(line);
            }
        }
    }

    private String text() {
        synchronized (read) {
            return read.toString(StandardCharsets.UTF_8);
        }
    }

    private void log(String message) {
        LoggerContext context = new LoggerContext();
        LoggingEvent event =
                new LoggingEvent("here", context.getLogger("dev.cordon"), Level.INFO, message, null, new Object[0]);
        event.setMDCPropertyMap(Map.of());
        writer.doAppend(event);
    }

    @Test
    @Timeout(60)
    void linesAreDroppedAndCountedAndNobodyWaits() throws Exception {
        writer.start();
        log("one");
        arrived.await(); // it is with the writer; two more have room
        for (String message : new String[] {"two", "three", "four", "five"}) {
            log(message);
        }
        assertThat(writer.dropped()).isEqualTo(2);
        writer.drain(Duration.ofMillis(1)); // and this does not wait for good
        reads.countDown();
        await().until(() -> text().contains("2 lines of the log were dropped"));
        writer.drain(Duration.ofMinutes(1));
        assertThat(text()).contains("one\n", "two\n", "three\n").doesNotContain("four", "five");
        log("six");
        writer.drain(Duration.ofMinutes(1));
        assertThat(text()).endsWith("six\n");
        assertThat(text().split("dropped", -1)).hasSize(2);
    }
}
