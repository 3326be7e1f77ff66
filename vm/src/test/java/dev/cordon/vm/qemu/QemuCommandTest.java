package dev.cordon.vm.qemu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.Channel;
import dev.cordon.bindings.Natives;
import dev.cordon.vm.Accelerator;
import dev.cordon.vm.MachineShape;
import dev.cordon.vm.QemuLaunch;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class QemuCommandTest {
    /** Not the host's: a QEMU that its guest has taken over would have them all. */
    @Test
    void itMayTakeTheProcessorsOfItsShapeAndOneMore() throws Exception {
        QemuCommand command = new QemuCommand(
                Path.of("/usr/bin/qemu-system-x86_64"), Accelerator.TCG, new MachineShape("base", 256 << 20, 2));
        try (Channel wire = Natives.load().kernel().stream()) {
            QemuLaunch launch = command.firmware(
                    new QemuCommand.Wires(wire.ours(), wire.ours(), wire.ours(), wire.ours(), wire.ours(), List.of()));
            assertThat(launch.cpus()).isEqualTo(3);
            assertThat(launch.arguments()).containsSequence("-smp", "2");
        }
    }
}
