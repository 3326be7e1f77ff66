package dev.cordon.config;

import dev.cordon.api.DurationFormat;
import dev.cordon.api.Limit;
import dev.cordon.config.ConfigKey.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every key that the configuration may have, the service's included: what the readers accept, the manual page, the JSON Schema and
 * {@code cordon config show} are made of this table. A key that is not in it is refused.
 */
public final class ConfigKeys {
    private static final Map<String, ConfigKey> KEYS = new LinkedHashMap<>();

    static {
        for (Limit limit : Limit.values()) {
            String standard =
                    limit.standard().isPresent() ? limit.show(limit.standard().getAsLong()) : "";
            add("limits." + limit.key(), kind(limit), standard, meaning(limit));
        }
        for (Limit limit : Limit.values()) {
            add("ceilings." + limit.key(), kind(limit), "", meaning(limit));
        }
        add(
                "ids.base",
                Kind.COUNT,
                Long.toString(ConfigLoader.IDS.base()),
                "As root: the first host id that sandboxes get.");
        add("ids.count", Kind.COUNT, Long.toString(ConfigLoader.IDS.count()), "As root: how many host ids there are.");
        add(
                "host.usr_local",
                Kind.TEXT,
                UsrLocal.standard(),
                "Which directories of the host's /usr/local jails are shown, with commas between their names; * for"
                        + " all, etc and src with their secrets included. /usr/etc, /usr/home and /usr/src never are.");
        add("paths.state", Kind.PATH, "", "What outlives a restart: /var/lib/cordon for root.");
        add("paths.run", Kind.PATH, "", "What does not outlive a reboot: /run/cordon for root.");
        add(
                "pool.size",
                Kind.COUNT,
                "0",
                "Sandboxes of each shape that are opened ahead of jobs, at most " + PoolSettings.MOST
                        + ". A service that is not told keeps up to " + PoolSettings.SERVICE.size() + ".");
        add("pool.memory", Kind.SIZE, PoolSettings.NONE.memory().toString(), "What all of them together may take.");
        add(
                "pool.supervisors",
                Kind.COUNT,
                "0",
                "As root: processes that wait for the plan of a jail, at most " + PoolSettings.MOST_SUPERVISORS
                        + ". A service that is not told keeps " + PoolSettings.SERVICE.supervisors() + ".");
        memory();
        add(
                "audit.enabled",
                Kind.TRUTH,
                "",
                "Whether jobs are recorded. The service and the command line do so unless this is false, an embedding"
                        + " program only when it is true.");
        add(
                "audit.directory",
                Kind.PATH,
                "",
                "The log's own directory: audit in paths.state, or in the directory that cordon serve --state names.");
        add(
                "audit.rotate",
                Kind.SIZE,
                AuditSettings.ROTATE.toString(),
                "A file of the log that has reached this size is followed by a new one.");
        add(
                "audit.keep",
                Kind.SIZE,
                AuditSettings.KEEP.toString(),
                "What the log holds, at least twice audit.rotate. When a new file begins and there is more, the oldest"
                        + " files are removed; a record of the log names them, and cordon audit verify tells.");
        add(
                "audit.journal",
                Kind.TRUTH,
                "true",
                "Whether a service sends the head of its log (number and SHA-256 of the last record) to the journal,"
                        + " else to syslog, where the log's own user cannot change it: at each checkpoint, with a new"
                        + " file, and when it ends. cordon audit verify --journal reads them.");
        add("audit.checkpoint_records", Kind.COUNT, "1000", "A checkpoint comes at the latest after so many records.");
        add("audit.checkpoint_interval", Kind.DURATION, "10m", "It comes at the latest after so much time.");
        add(
                "audit.signing_key",
                Kind.PATH,
                "",
                "An Ed25519 key (cordon audit keygen) that signs each checkpoint as a record of the log; systemd's"
                    + " credential audit-signing-key where it hands one over. cordon audit verify --key checks it.");
        add("audit.output", Kind.TRUTH, "false", "Whether the end of a job is recorded with what it wrote.");
        add(
                "policy.file",
                Kind.PATH,
                "",
                "The operator's rules, cordon-policy(5): policy.toml beside the file that --config or CORDON_CONFIG"
                        + " names, else beside the usual configuration, else the policy that ships. Its content is read"
                        + " again at a reload.");
        add(
                "tools.directory",
                Kind.PATH,
                "",
                "The registered tools: tools beside the configuration, found as policy.file is. Its files are read"
                        + " again at a reload.");
        machines();
        service();
    }

    private ConfigKeys() {}

    private static void memory() {
        add(
                "memory.reserve",
                Kind.SIZE,
                "",
                "Of the host's memory, what is never promised to jobs: an eighth. The memory limits of running jobs and"
                        + " open sandboxes together stay within the rest; a job that is alone always runs.");
        add(
                "memory.overcommit",
                Kind.NUMBER,
                "1",
                "How often that rest may be promised. 1 never promises more than there is; jobs that use less than"
                        + " their limits let it be higher, at the risk that the host runs out.");
        add(
                "memory.share",
                Kind.NUMBER,
                "1",
                "The part of the budget that one owner's jobs and sandboxes may have. A service that is not told lets"
                        + " one owner have " + MemorySettings.SERVICE_SHARE + " of it.");
        add(
                "memory.patience",
                Kind.DURATION,
                DurationFormat.format(MemorySettings.STANDARD.patience()),
                "How long a job waits until others gave memory back, before it is refused; 0s refuses at once, as it is"
                        + " always done with sandboxes.");
    }

    private static void machines() {
        add(
                "vm.allow-emulated",
                Kind.TRUTH,
                "false",
                "Whether a machine may run where the processor does not execute it: compatible, but no boundary of"
                        + " hardware.");
        choice("vm.accel", List.of("auto", "kvm", "tcg"), "auto", "Which accelerator may be used.");
        add("vm.boot-timeout", Kind.DURATION, "90s", "How long a guest may take to come up, from 1s to 1h.");
        choice(
                "vm.templates",
                List.of("per-owner", "shared", "off"),
                "per-owner",
                "Which machines are restored from one template: those of one owner, or all, who then share the layout"
                        + " of the kernel's memory. off boots each.");
        add(
                "vm.pool",
                Kind.COUNT,
                "0",
                "Restored machines that wait for whoever asks next, at most " + VmSettings.MOST_POOL + ".");
        add(
                "vm.images",
                Kind.PATH,
                "",
                "The operator's image descriptions: images beside the configuration, found as policy.file is.");
    }

    private static void service() {
        add("server.socket", Kind.PATH, "", "The unix socket: cordon.sock in paths.run.");
        add("server.group", Kind.TEXT, "cordon", "Whose members may use the socket.");
        add(
                "server.listen",
                Kind.TEXT,
                "",
                "HOST:PORT beside the socket; every request needs a token then. Beyond loopback TLS is needed.");
        add(
                "server.hosts",
                Kind.TEXT,
                "",
                "Further names, with commas between them, under which the port may be called.");
        add("server.tls_keystore", Kind.PATH, "", "A PKCS#12 file with the key and the certificates.");
        add("server.tls_password_file", Kind.PATH, "", "The file with its password.");
        add(
                "server.token_files",
                Kind.PATH,
                "",
                "A directory of tokens, one file each, OWNER ROLE TOKEN and where wanted its end in a line: systemd's"
                        + " credentials where it hands some over. Read again at a reload.");
        add(
                "server.token_lifetime",
                Kind.DURATION,
                "90d",
                "How long a token lasts that is made without --expires, at most 3650d.");
        add("server.max_running", Kind.COUNT, "", "Jobs that run at once: 4 per processor, at least 8.");
        add("server.max_running_per_owner", Kind.COUNT, "", "The same of one owner: seven eighths of all.");
        add("server.max_queue", Kind.COUNT, "256", "Jobs that wait; more are refused with 429.");
        add("server.max_queue_per_owner", Kind.COUNT, "", "The same of one owner: half of all.");
        add("server.max_sandboxes", Kind.COUNT, "64", "Sandboxes that clients hold open at once.");
        add("server.max_sandboxes_per_owner", Kind.COUNT, "", "The same of one owner: seven eighths of all.");
        add(
                "server.sandbox_idle",
                Kind.DURATION,
                "1h",
                "After how long without work a sandbox ends that was opened without idle_timeout_seconds.");
        add("server.max_sandbox_idle", Kind.DURATION, "7d", "The most that idle_timeout_seconds may ask for.");
        add("server.wait", Kind.DURATION, "30s", "The longest that a request waits for its job.");
        add("server.max_request", Kind.SIZE, "4M", "The largest request.");
        add("server.max_output", Kind.SIZE, "16M", "The most output of one job that is kept, of each stream.");
        add(
                "server.output_memory",
                Kind.SIZE,
                "",
                "What the output of running jobs may take of the heap, six times the limit of each: three eighths of"
                        + " it.");
        add("server.max_artifacts", Kind.SIZE, "1G", "The most that collected files of all jobs take.");
        add("server.keep_jobs", Kind.COUNT, "10000", "How many ended jobs are remembered.");
        add("server.keep_for", Kind.DURATION, "7d", "How long they are.");
        add("server.keep_output", Kind.SIZE, "1G", "How much of their output.");
        add(
                "server.process_jobs_as_service_user",
                Kind.TRUTH,
                "false",
                "Whether jobs of the level process may run as the service's own user.");
    }

    private static void add(String name, Kind kind, String standard, String description) {
        KEYS.put(name, new ConfigKey(name, kind, List.of(), standard, description));
    }

    private static void choice(String name, List<String> choices, String standard, String description) {
        KEYS.put(name, new ConfigKey(name, Kind.TEXT, choices, standard, description));
    }

    /** All of them, table by table. */
    public static List<ConfigKey> all() {
        return new ArrayList<>(KEYS.values());
    }

    /** The key of this name; empty when there is none. */
    public static Optional<ConfigKey> named(String name) {
        return Optional.ofNullable(KEYS.get(name));
    }

    /** What is wrong with a key that is not in the table. */
    public static String unknown(String name, Setting setting) {
        String table = name.contains(".") ? name.substring(0, name.indexOf('.') + 1) : "";
        List<String> near =
                KEYS.keySet().stream().filter(key -> key.startsWith(table)).toList();
        return setting.source() + ": " + name + " is no setting; "
                + (table.isEmpty() || near.isEmpty()
                        ? "the tables are limits, ceilings, ids, host, paths, pool, memory, audit, policy, tools, vm"
                                + " and server"
                        : "known are " + String.join(", ", near))
                + "; see cordon.toml(5)";
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
