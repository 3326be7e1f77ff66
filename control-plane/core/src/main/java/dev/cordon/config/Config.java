package dev.cordon.config;

import dev.cordon.api.Limit;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * @param policyFile     the operator's rules; null for the policy that ships
 * @param tools          the directory of the registered tools; it may be absent
 * @param processJobs    who may have the isolation level process
 * @param settings       every key that was set, and where
 */
public record Config(
        Map<Limit, Long> defaults,
        Map<Limit, Long> ceilings,
        IdRange ids,
        Path stateDirectory,
        Path runDirectory,
        AuditSettings audit,
        VmSettings vm,
        PoolSettings pool,
        @Nullable Path policyFile,
        Path tools,
        ProcessJobs processJobs,
        SortedMap<String, Setting> settings) {
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
            SortedMap<String, Setting> settings) {
        this(
                defaults,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                AuditSettings.off(stateDirectory),
                VmSettings.standard(stateDirectory.resolve("images")),
                PoolSettings.NONE,
                null,
                stateDirectory.resolve("tools"),
                ProcessJobs.ANYBODY,
                settings);
    }

    /** The same settings with other defaults for jobs that do not ask. */
    public Config withDefaults(Map<Limit, Long> others) {
        return new Config(
                others,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                audit,
                vm,
                pool,
                policyFile,
                tools,
                processJobs,
                settings);
    }

    /** The same settings with other ceilings; defaults above them are lowered to them. */
    public Config withCeilings(Map<Limit, Long> others) {
        Map<Limit, Long> lowered = new EnumMap<>(Limit.class);
        lowered.putAll(defaults);
        others.forEach((limit, most) -> lowered.merge(limit, most, Math::min));
        return new Config(
                lowered,
                others,
                ids,
                stateDirectory,
                runDirectory,
                audit,
                vm,
                pool,
                policyFile,
                tools,
                processJobs,
                settings);
    }

    /** The same settings with another policy; null for the one that ships. */
    public Config withPolicy(@Nullable Path file) {
        return new Config(
                defaults,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                audit,
                vm,
                pool,
                file,
                tools,
                processJobs,
                settings);
    }

    /** The same settings with the tools of another directory. */
    public Config withTools(Path directory) {
        return new Config(
                defaults,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                audit,
                vm,
                pool,
                policyFile,
                directory,
                processJobs,
                settings);
    }

    /** The same settings with jobs recorded in another way. */
    public Config withAudit(AuditSettings other) {
        return new Config(
                defaults,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                other,
                vm,
                pool,
                policyFile,
                tools,
                processJobs,
                settings);
    }

    /** The same settings with the audit log on, unless one of them says whether it is. */
    public Config recorded() {
        return settings.containsKey("audit.enabled") ? this : withAudit(audit.on());
    }

    /** The same settings with machines had in another way. */
    public Config withVm(VmSettings other) {
        return new Config(
                defaults,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                audit,
                other,
                pool,
                policyFile,
                tools,
                processJobs,
                settings);
    }

    /** The same settings with another pool. */
    public Config withPool(PoolSettings other) {
        return new Config(
                defaults,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                audit,
                vm,
                other,
                policyFile,
                tools,
                processJobs,
                settings);
    }

    /** The same settings with others who may have the isolation level process. */
    public Config withProcessJobs(ProcessJobs who) {
        return new Config(
                defaults,
                ceilings,
                ids,
                stateDirectory,
                runDirectory,
                audit,
                vm,
                pool,
                policyFile,
                tools,
                who,
                settings);
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
        return new ConfigLoader(System.getenv(), Places.ofThisProcess(System.getenv())).load(file);
    }
}
