package dev.cordon.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.NativeParts;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What machines cost, and that they hold: measured on request, never part of a check. */
@Tag("bench")
final class MachineFigures {
    private static final MachineShape SHAPE = new MachineShape("base", 256L << 20, 1);
    private static final double RATIO = 0.10;
    private static final long ALL_MEMORY = 24L << 30;

    private static Machines machines;

    @BeforeAll
    static void open() throws IOException {
        machines = Store.machines(
                new ProcessLauncher(NativeParts.load().kernel()), MachineSettings.standard(), Store.DIRECTORY);
        machines.restore(SHAPE, TemplatePreparation.NONE).close();
    }

    @AfterAll
    static void close() {
        machines.close();
    }

    /** How a machine is had. */
    private interface Way {
        Machine have() throws MachineFailed;
    }

    private static double[] seconds(int times, Way way) throws MachineFailed {
        double[] taken = new double[times];
        for (int i = 0; i < times; i++) {
            long begin = System.nanoTime();
            try (Machine machine = way.have()) {
                taken[i] = (System.nanoTime() - begin) / 1e9;
                assertThat(machine.ended()).isNotDone();
            }
        }
        Arrays.sort(taken);
        return taken;
    }

    @Test
    void aRestoreTakesATenthOfABoot() throws MachineFailed {
        double boot = seconds(10, () -> machines.boot(SHAPE))[5];
        double restore = seconds(10, () -> machines.restore(SHAPE, TemplatePreparation.NONE))[5];
        System.out.printf("cold boot %.2f s, restored and renewed %.3f s, ratio %.3f%n", boot, restore, restore / boot);
        assertThat(restore / boot).isLessThanOrEqualTo(RATIO);
    }

    @Test
    void twentyMachinesFromOneTemplate() throws IOException {
        List<Machine> all = new ArrayList<>();
        long before = used();
        try {
            for (int i = 0; i < 20; i++) {
                all.add(machines.restore(SHAPE, TemplatePreparation.NONE));
            }
            long more = used() - before;
            System.out.printf(
                    "20 machines of 256 MiB: %d MiB more are used, %d MiB for each%n", more >> 20, (more / 20) >> 20);
            assertThat(used()).isLessThan(ALL_MEMORY);
            assertThat(all).allSatisfy(machine -> assertThat(machine.ended()).isNotDone());
        } finally {
            all.forEach(Machine::close);
        }
        assertThat(all).allSatisfy(machine -> assertThat(machine.ended()).isDone());
    }

    @Test
    void fiftyBootsInARow() throws MachineFailed {
        double[] taken = seconds(50, () -> machines.boot(SHAPE));
        System.out.printf("50 boots: fastest %.2f s, median %.2f s, slowest %.2f s%n", taken[0], taken[25], taken[49]);
    }

    /** What is not available to others, in bytes. */
    private static long used() throws IOException {
        long total = 0;
        long available = 0;
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemTotal:") || line.startsWith("MemAvailable:")) {
                long amount = Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                total += line.startsWith("MemTotal:") ? amount : 0;
                available += line.startsWith("MemAvailable:") ? amount : 0;
            }
        }
        return total - available;
    }
}
