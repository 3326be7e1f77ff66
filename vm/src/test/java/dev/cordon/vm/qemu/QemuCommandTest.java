package dev.cordon.vm.qemu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.SocketPair;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class QemuCommandTest {
    @ParameterizedTest
    @EnumSource(QemuAccelerator.class)
    void theGuestIsNotToldWhatTheHostsProcessorIsCalled(QemuAccelerator accelerator) throws Exception {
        QemuCommand command = new QemuCommand(
                Path.of("/usr/bin/qemu-system-x86_64"), accelerator, new MachineShape("base", 256 << 20, 2));
        try (SocketPair wire = NativeParts.load().kernel().stream()) {
            QemuLaunch launch = command.firmware(
                    new QemuCommand.Wires(wire.ours(), wire.ours(), wire.ours(), wire.ours(), wire.ours(), List.of()));
            int processor = launch.arguments().indexOf("-cpu") + 1;
            assertThat(launch.arguments().get(processor))
                    .isEqualTo((accelerator == QemuAccelerator.KVM ? "host" : "max") + ",model-id="
                            + QemuCommand.PROCESSOR);
        }
    }

    @Test
    void ownersHaveTemplatesOfTheirOwn() {
        String anybodys = identity(new MachineShape("base", 256 << 20, 2));
        String alices = identity(new MachineShape("base", 256 << 20, 2, "alice"));
        String bobs = identity(new MachineShape("base", 256 << 20, 2, "bob"));
        assertThat(Set.of(anybodys, alices, bobs)).hasSize(3);
        assertThat(alices).isEqualTo(identity(new MachineShape("base", 256 << 20, 2, "alice")));
    }

    private static String identity(MachineShape shape) {
        return new QemuCommand(Path.of("/usr/bin/qemu-system-x86_64"), QemuAccelerator.TCG, shape).identity();
    }

    /** Not the host's: a QEMU that its guest has taken over would have them all. */
    @Test
    void itMayTakeTheProcessorsOfItsShapeAndOneMore() throws Exception {
        QemuCommand command = new QemuCommand(
                Path.of("/usr/bin/qemu-system-x86_64"), QemuAccelerator.TCG, new MachineShape("base", 256 << 20, 2));
        try (SocketPair wire = NativeParts.load().kernel().stream()) {
            QemuLaunch launch = command.firmware(
                    new QemuCommand.Wires(wire.ours(), wire.ours(), wire.ours(), wire.ours(), wire.ours(), List.of()));
            assertThat(launch.cpus()).isEqualTo(3);
            assertThat(launch.arguments()).containsSequence("-smp", "2");
        }
    }
}
