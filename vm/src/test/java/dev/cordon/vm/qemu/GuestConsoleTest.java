package dev.cordon.vm.qemu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** THREATS H-10: a guest may write to its console for as long as it likes. */
final class GuestConsoleTest {
    private static final int MOST = 16 << 10;

    @Test
    void aFloodIsKeptToItsEnd() {
        GuestConsole console = new GuestConsole();
        byte[] line = "\u001b[31mthe same line again and again\u001b[0m\u0007\n".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 100_000; i++) {
            console.append(ByteBuffer.wrap(line));
        }
        console.append(ByteBuffer.wrap("the end\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(console.text()).hasSizeLessThanOrEqualTo(MOST).endsWith("the end\n");
        assertThat(console.text().chars()).noneMatch(each -> each == 0x1b || each == 7);
        assertThat(console.tail(20).lines()).hasSize(20);
    }
}
