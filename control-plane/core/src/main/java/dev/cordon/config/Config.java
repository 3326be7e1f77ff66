package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingValue;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one Cordon, complete and checked.
 *
 * @param defaults       what a job gets that does not ask, in base units; never above a ceiling
 * @param ceilings       what a job gets at most
 * @param ids            as root: the host ids of sandboxes
 * @param stateDirectory what outlives a restart
 * @param runDirectory   what does not outlive a reboot
 * @param audit          whether and where jobs are recorded
 * @param vm             how virtual machines are had
 * @param pool           sandboxes that are opened ahead of jobs
 * @param memory         what of the host's memory may be promised to jobs
 * @param policyFile     the operator's rules; null for the policy that ships
 * @param tools          the directory of the registered tools; it may be absent
 * @param processJobs    who may have the isolation level process
 * @param settings       every key that was set, and where
 */
@SuppressWarnings("exports") // written settings are for the other modules; embedders have no type for them
public record Config(
        Map<Limit, Long> defaults,
        Map<Limit, Long> ceilings,
        IdRange ids,
        Path stateDirectory,
        Path runDirectory,
        AuditSettings audit,
        VmSettings vm,
        PoolSettings pool,
        MemorySettings memory,
        @Nullable Path policyFile,
        Path tools,
        ProcessJobs processJobs,
        SortedMap<String, SettingValue> settings) {
    /** Copies the maps. */
    public Config {
        defaults = Map.copyOf(defaults);
        ceilings = Map.copyOf(ceilings);
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    /** Settings without an audit log and a pool, and machines as they are when nothing is set. */
    public Config(
            Map<Limit, Long> defaults,
            Map<Limit, Long> ceilings,
            IdRange ids,
            Path stateDirectory,
            Path runDirectory,
            SortedMap<String, SettingValue> settings) {
        this(
                defaults,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                AuditSettings.off(stateDirectory),
                VmSettings.standard(stateDirectory.resolve("images")),
                PoolSettings.NONE,
                MemorySettings.STANDARD,
                null,
                stateDirectory.resolve("tools"),
                ProcessJobs.ANYBODY,
                settings);
    }

    /** What jails are shown of the host. */
    public HostShown hostShown() {
        return new HostShown(UsrLocal.NAMES.in(settings), ShownFiles.PATHS.in(settings));
    }

    /** These settings with other defaults for jobs that do not ask. */
    public Config withDefaults(Map<Limit, Long> others) {
        return edited(edit -> edit.defaults = others);
    }

    /** These settings with other ceilings; defaults above them are lowered to them. */
    public Config withCeilings(Map<Limit, Long> others) {
        Map<Limit, Long> lowered = new EnumMap<>(Limit.class);
        lowered.putAll(defaults);
        others.forEach((limit, most) -> lowered.merge(limit, most, Math::min));
        return edited(edit -> {
            edit.defaults = lowered;
            edit.ceilings = others;
        });
    }

    /** These settings with another policy; null for the one that ships. */
    public Config withPolicy(@Nullable Path file) {
        return edited(edit -> edit.policyFile = file);
    }

    /** These settings with the tools of another directory. */
    public Config withTools(Path directory) {
        return edited(edit -> edit.tools = directory);
    }

    /** These settings with jobs recorded in another way. */
    public Config withAudit(AuditSettings other) {
        return edited(edit -> edit.audit = other);
    }

    /** These settings with the audit log on, unless one of them says whether it is. */
    public Config recorded() {
        return isSet(AuditSettings.ENABLED) ? this : withAudit(audit.on());
    }

    /** These settings, of a service. */
    public Config served() {
        return withAudit(audit.ofService());
    }

    /** These settings with machines had in another way. */
    public Config withVm(VmSettings other) {
        return edited(edit -> edit.vm = other);
    }

    /** These settings with another pool. */
    public Config withPool(PoolSettings other) {
        return edited(edit -> edit.pool = other);
    }

    /** These settings with the pool of a service, as far as none of them says how it is. */
    public Config pooled() {
        PoolSettings usual = PoolSettings.SERVICE;
        return withPool(new PoolSettings(
                isSet(PoolSettings.SIZE) ? pool.size() : usual.size(),
                pool.memory(),
                isSet(PoolSettings.SUPERVISORS) ? pool.supervisors() : usual.supervisors()));
    }

    /** These settings with another budget of memory. */
    public Config withMemory(MemorySettings other) {
        return edited(edit -> edit.memory = other);
    }

    /**
     * These settings with what a service in this process takes for itself, and the share that it lets one owner have, unless one of
     * them says what it is.
     */
    public Config shared() {
        MemorySettings own =
                memory.ofService(ByteSize.bytes(Runtime.getRuntime().maxMemory()));
        return withMemory(isSet(MemorySettings.SHARE) ? own : own.withShare(MemorySettings.SERVICE_SHARE));
    }

    /** These settings with others who may have the isolation level process. */
    public Config withProcessJobs(ProcessJobs who) {
        return edited(edit -> edit.processJobs = who);
    }

    /**
     * The settings of this process: its configuration file or the one that CORDON_CONFIG names, then its environment.
     *
     * @throws InvalidConfig with all errors
     */
    public static Config load() {
        return load(null);
    }

    /**
     * The settings with a file of the caller's choice instead.
     *
     * @param file the file; null for the usual ones
     * @throws InvalidConfig with all errors
     */
    public static Config load(@Nullable Path file) {
        return new ConfigLoader(System.getenv(), UserDirectories.ofThisProcess(System.getenv())).load(file);
    }

    private boolean isSet(Setting<?> setting) {
        return settings.containsKey(setting.name());
    }

    private Config edited(Consumer<Edit> change) {
        Edit edit = new Edit(this);
        change.accept(edit);
        return new Config(
                edit.defaults,
                edit.ceilings,
                ids,
                stateDirectory,
                runDirectory,
                edit.audit,
                edit.vm,
                edit.pool,
                edit.memory,
                edit.policyFile,
                edit.tools,
                edit.processJobs,
                settings);
    }

    /** What can be other than it was loaded. */
    private static final class Edit {
        Map<Limit, Long> defaults;
        Map<Limit, Long> ceilings;
        AuditSettings audit;
        VmSettings vm;
        PoolSettings pool;
        MemorySettings memory;

        @Nullable
        Path policyFile;

        Path tools;
        ProcessJobs processJobs;

        Edit(Config config) {
            defaults = config.defaults;
            ceilings = config.ceilings;
            audit = config.audit;
            vm = config.vm;
            pool = config.pool;
            memory = config.memory;
            policyFile = config.policyFile;
            tools = config.tools;
            processJobs = config.processJobs;
        }
    }
}
