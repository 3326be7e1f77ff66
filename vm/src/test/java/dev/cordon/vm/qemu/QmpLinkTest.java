package dev.cordon.vm.qemu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.SocketPair;
import dev.cordon.vm.time.WaitDeadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a QEMU that was taken over says about itself is read by people. */
final class QmpLinkTest {
    private static final String WORDS = "\\u001b[2Jfine\\r\\n\\u2028\\u202e" + "x".repeat(100_000);

    private final Kernel kernel = NativeParts.load().kernel();

    private static void feed(QmpLink qmp, String line) {
        qmp.feed(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    private static void isSafe(String text) {
        assertThat(text).hasSizeLessThan(400).contains("?[2Jfine???").doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
    }

    @Test
    void theReasonOfItsEndIsShortAndPrintable() throws Exception {
        try (SocketPair wire = kernel.stream()) {
            QmpLink qmp = new QmpLink(kernel, wire.ours());
            feed(qmp, "{\"event\":\"SHUTDOWN\",\"data\":{\"reason\":\"" + WORDS + "\"}}");
            isSafe(qmp.shutdown());
        }
    }

    @Test
    void aRefusalIsShortAndPrintable() throws Exception {
        try (SocketPair wire = kernel.stream()) {
            QmpLink qmp = new QmpLink(kernel, wire.ours());
            Thread qemu = Thread.ofPlatform().start(() -> {
                readRequest(wire);
                feed(qmp, "{\"id\":1,\"error\":{\"desc\":\"" + WORDS + "\"}}");
            });
            assertThatIOException()
                    .isThrownBy(() -> qmp.execute("quit", "{}", WaitDeadline.in(Duration.ofSeconds(20))))
                    .satisfies(e -> isSafe(String.valueOf(e.getMessage())));
            qemu.join();
        }
    }

    private void readRequest(SocketPair wire) {
        try {
            ByteBuffer room = ByteBuffer.allocateDirect(4096);
            while (kernel.read(wire.theirs(), room) == Kernel.WOULD_BLOCK) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
