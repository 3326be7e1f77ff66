package dev.cordon.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.RoomsContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomsTest extends RoomsContract {
    RoomsTest() {
        super(Selftest.class, List.of("dev.cordon.selftest.rig", "dev.cordon.selftest.probe", "dev.cordon.selftest"));
    }

    @Test
    void nothingIsExportedToEverybody() {
        assertThat(rooms.exported()).isEmpty();
    }
}
