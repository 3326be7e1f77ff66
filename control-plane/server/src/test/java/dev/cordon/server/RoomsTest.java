package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.RoomsContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomsTest extends RoomsContract {
    RoomsTest() {
        super(
                Service.class,
                List.of(
                        "dev.cordon.server.problem",
                        "dev.cordon.server.access",
                        "dev.cordon.server.store",
                        "dev.cordon.server.job",
                        "dev.cordon.server.config",
                        "dev.cordon.server.http",
                        "dev.cordon.server.stream",
                        "dev.cordon.server.route",
                        "dev.cordon.server"));
    }

    @Test
    void nothingIsExportedToEverybody() {
        assertThat(rooms.exported()).isEmpty();
    }
}
