package dev.cordon.engine.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutputTapTest {
    private final AtomicInteger drained = new AtomicInteger();
    private final OutputTap tap = new OutputTap(drained::incrementAndGet);

    @Test
    void whatIsOfferedIsReadInOrder() throws Exception {
        assertThat(tap.offer(new byte[] {1, 2, 3})).isTrue();
        assertThat(tap.offer(new byte[] {4})).isTrue();
        tap.end();
        assertThat(tap.available()).isEqualTo(4);
        assertThat(tap.readAllBytes()).containsExactly(1, 2, 3, 4);
        assertThat(tap.read()).isEqualTo(-1);
    }

    @Test
    void aFullTapSaysSoUntilHalfOfItWasTaken() throws Exception {
        assertThat(tap.offer(new byte[256 * 1024])).isFalse();
        assertThat(tap.readNBytes(100 * 1024)).hasSize(100 * 1024);
        assertThat(drained).hasValue(0);
        assertThat(tap.readNBytes(100 * 1024)).hasSize(100 * 1024);
        assertThat(drained).hasValue(1);
        assertThat(tap.offer(new byte[1])).isTrue();
    }

    @Test
    void aReaderWaits() throws Exception {
        CompletableFuture<Integer> read = CompletableFuture.supplyAsync(tap::read, Thread::startVirtualThread);
        tap.offer(new byte[] {9});
        assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(9);
    }

    @Test
    void whoClosesItLosesTheRestAndHoldsUpNothing() {
        tap.offer(new byte[512 * 1024]);
        tap.close();
        assertThat(drained).hasValue(1);
        assertThat(tap.offer(new byte[512 * 1024])).isTrue();
        assertThat(tap.read()).isEqualTo(-1);
    }
}
