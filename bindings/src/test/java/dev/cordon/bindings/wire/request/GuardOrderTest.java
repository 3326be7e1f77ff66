package dev.cordon.bindings.wire.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GuardOrderTest {
    @Test
    void eachCallIsABit() {
        ByteBuffer bytes = ByteBuffer.wrap(new GuardOrder(7, Set.of(0, 63, 161, 1023)).encode())
                .order(ByteOrder.nativeOrder());
        assertThat(bytes.remaining()).isEqualTo(8 + 16 * 8);
        assertThat(bytes.getInt()).isEqualTo(7);
        assertThat(bytes.getInt()).isZero();
        for (int word = 0; word < 16; word++) {
            long expected = switch (word) {
                case 0 -> 1L | (1L << 63);
                case 2 -> 1L << (161 - 128);
                case 15 -> 1L << 63;
                default -> 0;
            };
            assertThat(bytes.getLong()).as("word " + word).isEqualTo(expected);
        }
    }

    @Test
    void whatTheSupervisorWouldRefuseIsNotWritten() {
        assertThatThrownBy(() -> new GuardOrder(0, Set.of())).hasMessageContaining("not 0");
        assertThatThrownBy(() -> new GuardOrder(1, Set.of(1024))).hasMessageContaining("1024");
        assertThatThrownBy(() -> new GuardOrder(1, Set.of(-1))).hasMessageContaining("-1");
    }
}
