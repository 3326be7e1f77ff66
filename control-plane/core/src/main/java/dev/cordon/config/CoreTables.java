package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingType;
import dev.cordon.config.setting.SettingType.Kind;
import dev.cordon.job.limit.Limit;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The tables of the configuration file that this module reads. Each setting is declared beside the value that it sets. */
@SuppressWarnings("exports") // tables are for the other modules
public final class CoreTables {
    static final Setting<Path> STATE =
            new Setting<>("paths.state", SettingType.PATH, "", "What outlives a restart: /var/lib/cordon for root.");
    static final Setting<Path> RUN =
            new Setting<>("paths.run", SettingType.PATH, "", "What does not outlive a reboot: /run/cordon for root.");
    static final Setting<Path> POLICY = new Setting<>(
            "policy.file",
            SettingType.PATH,
            "",
            "The operator's rules, cordon-policy(5): policy.toml beside the file that --config or CORDON_CONFIG"
                    + " names, else beside the usual configuration, else the policy that ships. Its content is read"
                    + " again at a reload.");
    static final Setting<Path> TOOLS = new Setting<>(
            "tools.directory",
            SettingType.PATH,
            "",
            "The registered tools: tools beside the configuration, found as policy.file is. Its files are read"
                    + " again at a reload.");

    /** All of them, in the order of the reference. */
    public static final List<SettingTable> ALL = List.of(
            limits("limits", "What a job gets that does not ask."),
            limits(
                    "ceilings",
                    "What a job gets at most. A service has ceilings of its host where none is set; GET /v1/info shows"
                            + " them."),
            new SettingTable("ids", "The host ids of sandboxes.", List.of(IdRange.BASE, IdRange.COUNT)),
            new SettingTable("host", "What jails are shown of the host.", List.of(UsrLocal.NAMES, ShownFiles.PATHS)),
            new SettingTable("paths", "Where things are kept.", List.of(STATE, RUN)),
            PoolSettings.TABLE,
            MemorySettings.TABLE,
            AuditSettings.TABLE,
            new SettingTable("policy", "The operator's rules.", List.of(POLICY)),
            new SettingTable("tools", "Registered tools.", List.of(TOOLS)),
            VmSettings.TABLE);

    private CoreTables() {}

    /** The setting of a limit: its default or its ceiling, by the name of the table. */
    static Setting<Long> limit(String table, Limit limit) {
        boolean standard = table.equals("limits") && limit.standard().isPresent();
        return new Setting<>(
                table + "." + limit.key(),
                SettingType.of(kind(limit), limit::parse).remedy("give " + limit.example()),
                standard ? limit.show(limit.standard().getAsLong()) : "",
                meaning(limit));
    }

    private static SettingTable limits(String table, String text) {
        return new SettingTable(
                table,
                text,
                Arrays.stream(Limit.values())
                        .<Setting<?>>map(limit -> limit(table, limit))
                        .toList());
    }

    private static Kind kind(Limit limit) {
        return switch (limit) {
            case TIMEOUT, CPU_TIME -> Kind.DURATION;
            case MEMORY, DISK, FILE_SIZE, OUTPUT, ADDRESS_SPACE, READ_RATE, WRITE_RATE -> Kind.SIZE;
            case CPUS -> Kind.NUMBER;
            case PIDS, FILES, OPEN_FILES, READ_OPERATIONS, WRITE_OPERATIONS -> Kind.COUNT;
        };
    }

    private static String meaning(Limit limit) {
        return switch (limit) {
            case TIMEOUT -> "Wall-clock time.";
            case CPU_TIME -> "CPU time of all its processes together.";
            case MEMORY -> "Memory of the whole job, its files in /workspace and /tmp included.";
            case CPUS -> "How many CPUs' worth of time per second.";
            case PIDS -> "Processes and threads at one time.";
            case DISK -> "Bytes that /workspace and /tmp hold, each.";
            case FILES -> "Files and directories that /workspace and /tmp hold, each.";
            case FILE_SIZE -> "The largest single file; the disk limit where none is set.";
            case OPEN_FILES -> "Open descriptors of one process.";
            case OUTPUT -> "Bytes kept of stdout and of stderr, each.";
            case ADDRESS_SPACE -> "Address space of one process; breaks JVMs, V8 and Go.";
            case READ_RATE -> "Bytes per second read from each block device.";
            case WRITE_RATE -> "Bytes per second written to each block device.";
            case READ_OPERATIONS -> "Read operations per second on each block device.";
            case WRITE_OPERATIONS -> "Write operations per second on each block device.";
        };
    }
}
