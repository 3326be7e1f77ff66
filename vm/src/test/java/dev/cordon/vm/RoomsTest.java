package dev.cordon.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.RoomsContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomsTest extends RoomsContract {
    RoomsTest() {
        super(Machines.class, List.of("dev.cordon.vm.time", "dev.cordon.vm.qemu", "dev.cordon.vm"));
    }

    @Test
    void nothingIsExportedToEverybody() {
        assertThat(rooms.exported()).isEmpty();
    }
}
