package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.RoomsContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomsTest extends RoomsContract {
    RoomsTest() {
        super(
                Main.class,
                List.of(
                        "dev.cordon.cli.terminal",
                        "dev.cordon.cli.client",
                        "dev.cordon.cli.parse",
                        "dev.cordon.cli.command.run",
                        "dev.cordon.cli.command.sandbox",
                        "dev.cordon.cli"));
    }

    @Test
    void nothingIsExportedToEverybody() {
        assertThat(rooms.exported()).isEmpty();
    }
}
