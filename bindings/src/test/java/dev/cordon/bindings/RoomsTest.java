package dev.cordon.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.Rooms;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a new class belongs can be seen: packages are small, have one direction, and every name means one thing. */
class RoomsTest {
    private static final Rooms ROOMS = Rooms.around(NativeParts.class);

    @Test
    void noPackageIsLarge() {
        ROOMS.areSmall();
    }

    @Test
    void noNameStandsTwice() {
        ROOMS.haveEachNameOnce();
    }

    @Test
    void namesAreNounsOfTheDomain() {
        ROOMS.haveNounsOfTheDomain();
    }

    @Test
    void noPackageDependsOnItself() {
        ROOMS.haveNoCycles();
    }

    @Test
    void everyPackageSaysWhatMayBeNull() {
        ROOMS.sayWhatMayBeNull();
    }

    @Test
    void nothingIsExportedToEverybody() {
        assertThat(ROOMS.exported()).isEmpty();
    }

    @Test
    void dependenciesPointDown() {
        ROOMS.pointDown(List.of(
                "dev.cordon.bindings.value",
                "dev.cordon.bindings.wire",
                "dev.cordon.bindings.wire.request",
                "dev.cordon.bindings.wire.reply"));
    }
}
