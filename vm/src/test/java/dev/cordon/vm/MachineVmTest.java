package dev.cordon.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.NativeParts;
import dev.cordon.vm.qemu.MachineEnd;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.ProcessLauncher;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Machines that boot, and machines that are restored. */
@Tag("vm")
final class MachineVmTest {
    private static final MachineShape SHAPE = new MachineShape("base", 256L << 20, 1);

    private static Machines machines;

    @BeforeAll
    static void open() {
        machines = Store.machines(
                new ProcessLauncher(NativeParts.load().kernel()), MachineSettings.standard(), Store.DIRECTORY);
    }

    @AfterAll
    static void close() {
        machines.close();
    }

    @Test
    void bootsAndEndsWhenItIsClosed() throws Exception {
        Machine machine = machines.boot(SHAPE);
        assertThat(machine.ended()).isNotDone();
        machine.close();
        assertThat(machine.ended().get(0, TimeUnit.SECONDS).kind()).isEqualTo(MachineEnd.Kind.CLOSED);
    }

    @Test
    void restoresTwoMachinesFromOneTemplate() throws Exception {
        try (Machine one = machines.restore(SHAPE, TemplatePreparation.NONE);
                Machine two = machines.restore(SHAPE, TemplatePreparation.NONE)) {
            assertThat(one.ended()).isNotDone();
            assertThat(two.ended()).isNotDone();
            assertThat(one.accelerated()).isEqualTo(two.accelerated());
        }
    }
}
