package dev.cordon.server;

import dev.cordon.config.Config;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.quota.MemoryBudget;
import java.util.EnumMap;
import java.util.Map;

/** What one job of the service gets at most where the operator did not say: as much as this host can give without suffering. */
final class HostCeilings {
    private HostCeilings() {}

    /**
     * The operator's ceilings, and those of this host for the limits that have none: a job that keeps to them fits its owner's share.
     *
     * @param config the service's
     * @param output the most of one stream that the service keeps
     */
    static Map<Limit, Long> around(Config config, long output) {
        return around(
                config.ceilings(),
                output,
                MemoryBudget.host(),
                MemoryBudget.of(config).state().share(),
                Runtime.getRuntime().availableProcessors());
    }

    /**
     * The ceilings of a host.
     *
     * @param share of the memory, what one owner may be promised; where that is nothing, whoever is alone has all
     */
    static Map<Limit, Long> around(Map<Limit, Long> set, long output, ByteSize memory, ByteSize share, int cpus) {
        Map<Limit, Long> ceilings = new EnumMap<>(Limit.class);
        long most = share.bytes() == 0 ? memory.bytes() : Math.min(share.bytes(), memory.bytes());
        long half = Math.max(
                Limit.MEMORY.least(),
                Math.min(most, Math.max(memory.bytes() / 2, ByteSize.mib(512).bytes())));
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
}
