package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingReader;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingType;
import dev.cordon.job.limit.ByteSize;
import java.util.List;

/**
 * What is kept ready ahead of jobs.
 *
 * @param size        sandboxes that are open, for each shape of plan; 0 keeps none
 * @param memory      that all of them together may take
 * @param supervisors processes that wait for the plan of a jail which does not come from the pool, as root; 0 keeps none
 */
public record PoolSettings(int size, ByteSize memory, int supervisors) {
    static final Setting<Integer> SIZE = new Setting<>(
            "pool.size",
            SettingType.count(0, 1000),
            "0",
            "Sandboxes of each shape that are opened ahead of jobs, at most 1000. A service that is not told keeps up"
                    + " to 4.");
    static final Setting<ByteSize> MEMORY =
            new Setting<>("pool.memory", SettingType.SIZE, "64 MiB", "What all of them together may take.");
    static final Setting<Integer> SUPERVISORS = new Setting<>(
            "pool.supervisors",
            SettingType.count(0, 64),
            "0",
            "As root: processes that wait for the plan of a jail, at most 64. A service that is not told keeps 2.");
    static final SettingTable TABLE =
            new SettingTable("pool", "What is kept ready.", List.of(SIZE, MEMORY, SUPERVISORS));

    /** No pool: what a command line that runs one job needs. */
    public static final PoolSettings NONE = of(SettingReader.ofDefaults());

    /** What a service keeps that was not told otherwise: about 4 MiB for each kind of job that comes often. */
    public static final PoolSettings SERVICE = new PoolSettings(4, NONE.memory(), 2);

    /** Checks the ranges. */
    public PoolSettings {
        SIZE.check(size);
        SUPERVISORS.check(supervisors);
    }

    /** Open sandboxes alone. */
    public PoolSettings(int size, ByteSize memory) {
        this(size, memory, 0);
    }

    static PoolSettings of(SettingReader reader) {
        return new PoolSettings(reader.value(SIZE), reader.value(MEMORY), reader.value(SUPERVISORS));
    }
}
