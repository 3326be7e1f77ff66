package dev.cordon.cgroup;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * For how long the job had to wait for each resource, in microseconds: {@code some} while at least one of its
 * processes waited, {@code full} while all did. From the kernel's pressure stall information.
 *
 * @param cpuSomeMicros waiting for a CPU, mostly because of its own limit
 * @param memorySomeMicros waiting for memory to be reclaimed
 * @param memoryFullMicros all of them
 * @param ioSomeMicros waiting for block devices
 * @param ioFullMicros all of them
 */
public record Pressure(
        long cpuSomeMicros, long memorySomeMicros, long memoryFullMicros, long ioSomeMicros, long ioFullMicros) {

    /** Reads a v2 group's pressure; empty when the kernel was built or booted without it. */
    public static Optional<Pressure> of(Path group) {
        Optional<String> cpu = CgroupFile.readIfThere(group.resolve("cpu.pressure"));
        Optional<String> memory = CgroupFile.readIfThere(group.resolve("memory.pressure"));
        Optional<String> io = CgroupFile.readIfThere(group.resolve("io.pressure"));
        if (cpu.isEmpty() || memory.isEmpty() || io.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Pressure(
                total(cpu.get(), "some"),
                total(memory.get(), "some"),
                total(memory.get(), "full"),
                total(io.get(), "some"),
                total(io.get(), "full")));
    }

    private static long total(String text, String line) {
        OptionalLong total = StatFields.of(text, line, "total");
        return total.orElse(0);
    }
}
