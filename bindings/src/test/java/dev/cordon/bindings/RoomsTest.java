package dev.cordon.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.RoomsContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomsTest extends RoomsContract {
    RoomsTest() {
        super(
                NativeParts.class,
                List.of(
                        "dev.cordon.bindings.value",
                        "dev.cordon.bindings.wire",
                        "dev.cordon.bindings.wire.request",
                        "dev.cordon.bindings.wire.reply"));
    }

    @Test
    void nothingIsExportedToEverybody() {
        assertThat(rooms.exported()).isEmpty();
    }
}
