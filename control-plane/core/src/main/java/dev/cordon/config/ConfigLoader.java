package dev.cordon.config;

import dev.cordon.api.ByteSize;
import dev.cordon.api.DurationFormat;
import dev.cordon.api.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers settings (files, then the environment on top) and checks them. An unknown key is an error, because a misspelt ceiling would be
 * no ceiling.
 */
final class ConfigLoader {
    /**
     * Default host ids of sandboxes. Above what useradd hands out as subordinate ids on Debian (100000 to 600100000), what systemd
     * allocates to containers (524288 to 1879048191) and SSSD maps directory users to (200000 to 2000200000); below systemd's foreign
     * ids (2147352576) and 2^31, where tools with signed ids go wrong.
     */
    static final IdRange IDS = new IdRange(2_100_000_000L, 65_536);

    private final Map<String, String> environment;
    private final Places places;
    private @Nullable Path only;
    private final TreeMap<String, Setting> settings = new TreeMap<>();
    private final List<String> errors = new ArrayList<>();

    ConfigLoader(Map<String, String> environment, Places places) {
        this.environment = environment;
        this.places = places;
    }

    Config load(@Nullable Path file) {
        readFiles(file);
        readEnvironment();
        Map<String, Setting> left = new HashMap<>(settings);
        left.keySet().removeIf(key -> key.startsWith("server.")); // the service checks its own
        Map<Limit, Long> ceilings = limits("ceilings.", left);
        Map<Limit, Long> defaults = withinCeilings(limits("limits.", left), ceilings);
        IdRange ids = ids(left);
        Path state = path("paths.state", places.state(), left);
        Path run = path("paths.run", places.run(), left);
        AuditSettings audit = audit(state, left);
        VmSettings vm = new VmReader(left, errors).read(beside("images"));
        trustworthy(vm.images());
        PoolSettings pool = pool(left);
        usrLocal(left);
        MemorySettings memory = new MemoryReader(left, errors).read();
        Path policy = policy(left);
        Path tools = tools(left);
        left.forEach((key, setting) -> errors.add(ConfigKeys.unknown(key, setting)));
        if (!errors.isEmpty()) {
            throw new InvalidConfig(errors);
        }
        return new Config(
                defaults,
                ceilings,
                ids,
                state,
                run,
                audit,
                vm,
                pool,
                memory,
                policy,
                tools,
                ProcessJobs.ANYBODY,
                settings);
    }

    private void readFiles(@Nullable Path chosen) {
        String named = environment.getOrDefault("CORDON_CONFIG", "");
        Path file = chosen != null || named.isEmpty() ? chosen : Path.of(named);
        if (file != null) {
            only = file.toAbsolutePath().normalize();
            if (Files.isRegularFile(file)) {
                readFile(file);
            } else {
                errors.add(file + ": is no file; name an existing configuration file with --config or CORDON_CONFIG");
            }
            return;
        }
        if (Files.exists(places.files())) {
            readFile(places.files());
        }
        if (Files.isDirectory(places.more())) {
            moreFiles().forEach(this::readFile);
        }
    }

    /**
     * What stands beside the configuration: beside the file that was named where it is there, else beside the usual one. So neither the
     * rules beside a named file nor the host's own are left out without a word.
     */
    private Path beside(String name) {
        Path usual = places.files().resolveSibling(name);
        if (only == null) {
            return usual;
        }
        Path own = only.resolveSibling(name);
        return Files.exists(own, LinkOption.NOFOLLOW_LINKS) ? own : usual;
    }

    private List<Path> moreFiles() {
        try (Stream<Path> entries = Files.list(places.more())) {
            return entries.filter(entry -> entry.toString().endsWith(".toml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            errors.add(places.more() + ": cannot be listed; make the directory readable");
            return List.of();
        }
    }

    private void readFile(Path file) {
        if (places.uid() == 0 && !isRoots(file)) {
            errors.add(file + ": could be changed by others than root; chown root and chmod go-w it");
            return;
        }
        TomlFile.read(file, settings, errors);
    }

    private static boolean isRoots(Path file) {
        try {
            Map<String, Object> facts = Files.readAttributes(file, "unix:uid,mode");
            return facts.get("uid") instanceof Integer uid
                    && uid == 0
                    && facts.get("mode") instanceof Integer mode
                    && (mode & 022) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** CORDON_LIMITS__MEMORY is limits.memory. Names without the double underscore are not settings but Cordon's other variables, or wrong. */
    private void readEnvironment() {
        environment.forEach((name, value) -> {
            Variables.mistake(name).ifPresent(errors::add);
            if (Variables.isSetting(name)) {
                String key = name.substring(Variables.PREFIX.length())
                        .replace(Variables.NESTED, ".")
                        .toLowerCase(Locale.ROOT);
                // A variable's name cannot hold the hyphens that these keys have.
                settings.put(key.startsWith("vm.") ? key.replace('_', '-') : key, new Setting(value, name));
            }
        });
    }

    private Map<Limit, Long> limits(String prefix, Map<String, Setting> left) {
        Map<Limit, Long> amounts = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            Setting setting = left.remove(prefix + limit.key());
            if (setting != null) {
                try {
                    amounts.put(limit, limit.parse(setting.text()));
                } catch (IllegalArgumentException e) {
                    wrong(prefix + limit.key(), setting, String.valueOf(e.getMessage()), "give " + limit.example());
                }
            }
        }
        return amounts;
    }

    /**
     * A default that was set may not pass its ceiling; a built-in one follows it down. A limit without a default (file size, address
     * space) that has a ceiling gets it as its default: a ceiling that held only for those who ask would be none.
     */
    private Map<Limit, Long> withinCeilings(Map<Limit, Long> set, Map<Limit, Long> ceilings) {
        Map<Limit, Long> defaults = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            long ceiling = ceilings.getOrDefault(limit, limit.most());
            Long amount = set.get(limit);
            if (amount != null && amount > ceiling) {
                Setting setting = settings.getOrDefault("limits." + limit.key(), new Setting("", ""));
                wrong(
                        "limits." + limit.key(),
                        setting,
                        "is above ceilings." + limit.key() + " of " + limit.show(ceiling),
                        "lower it");
            } else if (amount != null) {
                defaults.put(limit, amount);
            } else if (limit.standard().isPresent()) {
                defaults.put(limit, Math.min(limit.standard().getAsLong(), ceiling));
            } else if (ceilings.containsKey(limit)) {
                defaults.put(limit, ceiling);
            }
        }
        return defaults;
    }

    private void usrLocal(Map<String, Setting> left) {
        Setting setting = left.remove(Config.HOST_USR_LOCAL);
        try {
            UsrLocal.parse(setting == null ? "" : setting.text());
        } catch (IllegalArgumentException e) {
            wrong(
                    Config.HOST_USR_LOCAL,
                    setting == null ? new Setting("", "") : setting,
                    String.valueOf(e.getMessage()),
                    "give names with commas between them, such as bin,lib,share; * for all, nothing for none");
        }
    }

    private IdRange ids(Map<String, Setting> left) {
        long base = number("ids.base", IDS.base(), left);
        long count = number("ids.count", IDS.count(), left);
        try {
            return new IdRange(base, count);
        } catch (IllegalArgumentException e) {
            errors.add(
                    "ids: " + e.getMessage() + "; choose ids.base and ids.count where no other program allocates ids");
            return IDS;
        }
    }

    private AuditSettings audit(Path state, Map<String, Setting> left) {
        boolean enabled = truth("audit.enabled", left);
        Path directory = path("audit.directory", state.resolve("audit"), left);
        boolean output = truth("audit.output", left);
        Setting rotate = left.remove("audit.rotate");
        Setting keep = left.remove("audit.keep");
        AuditSettings settings = AuditSettings.off(state);
        try {
            ByteSize size = rotate == null ? settings.rotate() : ByteSize.parse(rotate.text());
            settings = new AuditSettings(enabled, directory, size, output);
        } catch (IllegalArgumentException e) {
            wrong("audit.rotate", rotate, e, AuditSettings.ROTATE);
        }
        try {
            settings = keep == null ? settings : settings.keeping(ByteSize.parse(keep.text()));
        } catch (IllegalArgumentException e) {
            wrong("audit.keep", keep, e, AuditSettings.KEEP);
        }
        return settings.vouched(checkpoints(left));
    }

    private Checkpoints checkpoints(Map<String, Setting> left) {
        Checkpoints usual = Checkpoints.USUAL;
        boolean journal = !left.containsKey("audit.journal") || truth("audit.journal", left);
        long records = number("audit.checkpoint_records", usual.records(), left);
        Path credential = Path.of(environment.getOrDefault("CREDENTIALS_DIRECTORY", ""), Checkpoints.CREDENTIAL);
        Path none = Path.of("/");
        Path key = path(
                "audit.signing_key", credential.isAbsolute() && Files.exists(credential) ? credential : none, left);
        Setting interval = left.remove("audit.checkpoint_interval");
        try {
            Duration time = interval == null ? usual.interval() : DurationFormat.parse(interval.text());
            return new Checkpoints(false, journal, records, time, key.equals(none) ? null : key);
        } catch (IllegalArgumentException e) {
            errors.add("audit.checkpoint_records, audit.checkpoint_interval: " + e.getMessage()
                    + "; give a number such as 1000 and a time such as 10m");
            return usual;
        }
    }

    private void wrong(String key, @Nullable Setting setting, IllegalArgumentException e, ByteSize usual) {
        if (setting != null) {
            wrong(key, setting, String.valueOf(e.getMessage()), "give a size such as " + usual);
        }
    }

    /** The file that policy.file names, else policy.toml beside the configuration. Root trusts only what root alone may change. */
    private @Nullable Path policy(Map<String, Setting> left) {
        boolean named = left.containsKey("policy.file");
        Path usual = beside("policy.toml");
        Path file = path("policy.file", usual, left);
        if (!named && !Files.exists(usual, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        if (!Files.isRegularFile(file)) {
            errors.add("policy.file: " + file + " is no file; name an existing policy, see cordon policy check");
        } else if (places.uid() == 0 && !isRoots(file)) {
            errors.add(file + ": could be changed by others than root; chown root and chmod go-w it");
        }
        return file;
    }

    /** The directory that tools.directory names, else tools beside the configuration. Root trusts only what root alone may change. */
    private Path tools(Map<String, Setting> left) {
        boolean named = left.containsKey("tools.directory");
        Path directory = path("tools.directory", beside("tools"), left);
        if (named && !Files.isDirectory(directory)) {
            errors.add("tools.directory: " + directory + " is no directory; name an existing one");
        } else {
            trustworthy(directory);
        }
        return directory;
    }

    private void trustworthy(Path directory) {
        if (places.uid() != 0 || !Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            Stream.concat(Stream.of(directory), entries)
                    .filter(entry -> !isRoots(entry))
                    .forEach(entry ->
                            errors.add(entry + ": could be changed by others than root; chown root and chmod go-w it"));
        } catch (IOException e) {
            errors.add(directory + ": cannot be listed; make the directory readable");
        }
    }

    private boolean truth(String key, Map<String, Setting> left) {
        Setting setting = left.remove(key);
        if (setting != null && !setting.text().equals("true") && !setting.text().equals("false")) {
            wrong(key, setting, "is neither true nor false", "write one of them");
        }
        return setting != null && setting.text().equals("true");
    }

    private PoolSettings pool(Map<String, Setting> left) {
        long size = number("pool.size", PoolSettings.NONE.size(), left);
        if (size < 0 || size > PoolSettings.MOST) {
            wrong(
                    "pool.size",
                    settings.getOrDefault("pool.size", new Setting("", "")),
                    "is not between 0 and " + PoolSettings.MOST,
                    "give how many sandboxes of each shape are to wait for jobs");
            size = 0;
        }
        ByteSize memory = PoolSettings.NONE.memory();
        Setting setting = left.remove("pool.memory");
        if (setting != null) {
            try {
                memory = ByteSize.parse(setting.text());
            } catch (IllegalArgumentException e) {
                wrong("pool.memory", setting, String.valueOf(e.getMessage()), "give one such as 64M");
            }
        }
        long supervisors = number("pool.supervisors", PoolSettings.NONE.supervisors(), left);
        if (supervisors < 0 || supervisors > PoolSettings.MOST_SUPERVISORS) {
            wrong(
                    "pool.supervisors",
                    settings.getOrDefault("pool.supervisors", new Setting("", "")),
                    "is not between 0 and " + PoolSettings.MOST_SUPERVISORS,
                    "give how many supervisors are to wait for jails");
            supervisors = 0;
        }
        return new PoolSettings((int) size, memory, (int) supervisors);
    }

    private long number(String key, long otherwise, Map<String, Setting> left) {
        Setting setting = left.remove(key);
        if (setting == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(setting.text());
        } catch (NumberFormatException e) {
            wrong(key, setting, "is no whole number", "give one such as " + otherwise);
            return otherwise;
        }
    }

    private Path path(String key, Path otherwise, Map<String, Setting> left) {
        Setting setting = left.remove(key);
        if (setting == null) {
            return otherwise;
        }
        if (!setting.text().startsWith("/") || setting.text().indexOf('\0') >= 0) {
            wrong(key, setting, "is no absolute path", "give one such as " + otherwise);
            return otherwise;
        }
        return Path.of(setting.text()).normalize();
    }

    private void wrong(String key, Setting setting, String rule, String remedy) {
        errors.add(setting.source() + ": " + key + " = '" + setting.text() + "': " + rule + "; " + remedy);
    }
}
