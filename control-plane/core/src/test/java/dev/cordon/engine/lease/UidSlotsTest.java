package dev.cordon.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UidSlotsTest {

    private static final long BASE = 700_000;

    private final Kernel kernel = NativeParts.load().kernel();
    private final UidSlots slots;
    /** A second view of the same files has its own open files: to the locks it is another process. */
    private final UidSlots others;

    private final Path directory;

    UidSlotsTest(@TempDir Path run) throws IOException {
        directory = run.resolve("slots");
        slots = new UidSlots(directory, BASE, 3, kernel);
        others = new UidSlots(directory, BASE, 3, kernel);
    }

    @Test
    void lowestFreeSlotIsLeased() throws IOException {
        UidSlot first = slots.lease();
        try (UidSlot second = slots.lease()) {
            assertThat(first.uid()).isEqualTo(BASE);
            assertThat(second.uid()).isEqualTo(BASE + 1);
            first.close();
            first.close();
            try (UidSlot again = slots.lease()) {
                assertThat(again.number()).isZero();
                assertThat(slots.leased()).isEqualTo(2);
            }
        }
        assertThat(slots.leased()).isZero();
    }

    @Test
    void slotsOfAnotherProcessAreSkipped() throws IOException {
        try (UidSlot theirs = others.lease();
                UidSlot ours = slots.lease()) {
            assertThat(theirs.number()).isZero();
            assertThat(ours.number()).isOne();
        }
    }

    /** Two settings of ids may overlap. */
    @Test
    void aUserIdIsLockedWhateverItsNumberInARange() throws IOException {
        UidSlots shifted = new UidSlots(directory, BASE - 1, 4, kernel);
        try (UidSlot ours = slots.lease();
                UidSlot below = shifted.lease();
                UidSlot next = shifted.lease()) {
            assertThat(ours.uid()).isEqualTo(BASE);
            assertThat(below.uid()).isEqualTo(BASE - 1);
            assertThat(next.uid()).isEqualTo(BASE + 1);
        }
    }

    @Test
    void slotStaysTakenWhileASupervisorHoldsTheLock() throws IOException {
        UidSlot slot = slots.lease();
        Fd held = kernel.duplicate(slot.lock());
        slot.close();
        try (UidSlot next = slots.lease()) {
            assertThat(next.number()).isOne();
        }
        held.close();
        try (UidSlot next = slots.lease()) {
            assertThat(next.number()).isZero();
        }
    }

    @Test
    void exhaustedRangeSaysWhatToDo() throws IOException {
        try (UidSlot a = slots.lease();
                UidSlot b = others.lease();
                UidSlot c = slots.lease()) {
            assertThat(a.number() + b.number() + c.number()).isEqualTo(3);
            assertThatThrownBy(slots::lease)
                    .isInstanceOf(SlotsExhausted.class)
                    .hasMessageContaining("700000 to 700002")
                    .hasMessageContaining("larger range");
        }
    }

    @Test
    void nobodyElseCanHoldALock() throws IOException {
        assertThat(Files.getPosixFilePermissions(directory))
                .containsExactlyInAnyOrder(
                        PosixFilePermission.OWNER_READ,
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.OWNER_EXECUTE);
    }

    @Test
    void rangesThatHoldRootOrNobodyAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new UidSlots(directory, 0, 3, kernel));
        assertThatIllegalArgumentException().isThrownBy(() -> new UidSlots(directory, BASE, 0, kernel));
        assertThatIllegalArgumentException().isThrownBy(() -> new UidSlots(directory, 0xffff_fffeL, 1, kernel));
    }
}
