package dev.cordon.server;

import dev.cordon.api.ByteSize;
import dev.cordon.api.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** What one job of the service gets at most where the operator did not say: as much as this host can give without suffering. */
final class HostCeilings {
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final String TOTAL = "MemTotal:";

    private HostCeilings() {}

    /**
     * The operator's ceilings, and those of this host for the limits that have none.
     *
     * @param output the most of one stream that the service keeps
     */
    static Map<Limit, Long> around(Map<Limit, Long> set, long output) throws IOException {
        return around(
                set,
                output,
                total(Files.readString(MEMORY)),
                Runtime.getRuntime().availableProcessors());
    }

    static Map<Limit, Long> around(Map<Limit, Long> set, long output, ByteSize memory, int cpus) {
        Map<Limit, Long> ceilings = new EnumMap<>(Limit.class);
        long half = Math.max(
                Limit.MEMORY.least(),
                Math.min(
                        memory.bytes(),
                        Math.max(memory.bytes() / 2, ByteSize.mib(512).bytes())));
        ceilings.put(Limit.TIMEOUT, Limit.TIMEOUT.parse("1h"));
        ceilings.put(Limit.CPU_TIME, Math.min(Limit.CPU_TIME.most(), cpus * Limit.CPU_TIME.parse("1h")));
        ceilings.put(Limit.MEMORY, half);
        ceilings.put(Limit.CPUS, Limit.CPUS.parse(Integer.toString(cpus)));
        ceilings.put(Limit.PIDS, Limit.PIDS.parse("4096"));
        ceilings.put(Limit.DISK, half); // it is memory, too
        ceilings.put(Limit.FILES, Limit.FILES.parse("1000000"));
        ceilings.put(Limit.OPEN_FILES, Limit.OPEN_FILES.parse("65536"));
        ceilings.put(Limit.OUTPUT, Math.min(Limit.OUTPUT.most(), Math.max(Limit.OUTPUT.least(), output)));
        ceilings.putAll(set);
        return ceilings;
    }

    private static ByteSize total(String meminfo) throws IOException {
        String line = meminfo.lines()
                .filter(candidate -> candidate.startsWith(TOTAL))
                .findFirst()
                .orElseThrow(() -> new IOException(MEMORY + " has no line " + TOTAL));
        return ByteSize.kib(
                Long.parseLong(line.substring(TOTAL.length()).replace("kB", "").trim()));
    }
}
