package dev.cordon.vm.qemu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.Channel;
import dev.cordon.bindings.Natives;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class QemuCommandTest {
    @ParameterizedTest
    @EnumSource(Accelerator.class)
    void theGuestIsNotToldWhatTheHostsProcessorIsCalled(Accelerator accelerator) throws Exception {
        QemuCommand command = new QemuCommand(
                Path.of("/usr/bin/qemu-system-x86_64"), accelerator, new MachineShape("base", 256 << 20, 2));
        try (Channel wire = Natives.load().kernel().stream()) {
            QemuLaunch launch = command.firmware(
                    new QemuCommand.Wires(wire.ours(), wire.ours(), wire.ours(), wire.ours(), wire.ours(), List.of()));
            int processor = launch.arguments().indexOf("-cpu") + 1;
            assertThat(launch.arguments().get(processor))
                    .isEqualTo(
                            (accelerator == Accelerator.KVM ? "host" : "max") + ",model-id=" + QemuCommand.PROCESSOR);
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
        return new QemuCommand(Path.of("/usr/bin/qemu-system-x86_64"), Accelerator.TCG, shape).identity();
    }

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
