package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingReader;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingValue;
import dev.cordon.job.limit.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers settings (files, then the environment on top) and checks them. An unknown key is an error, because a misspelt ceiling would be
 * no ceiling.
 */
final class ConfigLoader {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigLoader.class);

    private final Map<String, String> environment;
    private final UserDirectories places;
    private @Nullable Path only;
    private final TreeMap<String, SettingValue> settings = new TreeMap<>();
    private final List<String> errors = new ArrayList<>();

    ConfigLoader(Map<String, String> environment, UserDirectories places) {
        this.environment = environment;
        this.places = places;
    }

    Config load(@Nullable Path file) {
        readFiles(file);
        readEnvironment();
        Map<String, SettingValue> own = new HashMap<>(settings);
        own.keySet().removeIf(name -> name.startsWith(SettingTable.SERVICE + ".")); // the service checks its own
        SettingReader reader = new SettingReader(own);
        Map<Limit, Long> ceilings = limits("ceilings", reader);
        Map<Limit, Long> defaults = withinCeilings(limits("limits", reader), ceilings, reader);
        IdRange ids = IdRange.of(reader);
        Path state = reader.value(CoreTables.STATE, places.state());
        Path run = reader.value(CoreTables.RUN, places.run());
        AuditSettings audit = AuditSettings.of(reader, state, environment);
        VmSettings vm = VmSettings.of(reader, beside("images"));
        trustworthy(vm.images(), reader);
        PoolSettings pool = PoolSettings.of(reader);
        reader.value(UsrLocal.NAMES);
        reader.value(ShownFiles.PATHS);
        MemorySettings memory = MemorySettings.of(reader);
        Path policy = policy(reader);
        Path tools = tools(reader);
        errors.addAll(reader.errors(CoreTables.ALL));
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
                errors.add(
                        file + ": is not a file; name an existing configuration file with --config or CORDON_CONFIG");
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
            errors.add(changeable(file));
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

    /** CORDON_LIMITS__MEMORY is limits.memory. Names without the double underscore are not settings. */
    private void readEnvironment() {
        environment.forEach((name, value) -> {
            EnvironmentVariables.mistake(name).ifPresentOrElse(errors::add, () -> warn(name));
            if (EnvironmentVariables.isSetting(name)) {
                String key = name.substring(Setting.PREFIX.length())
                        .replace(Setting.NESTED, ".")
                        .toLowerCase(Locale.ROOT);
                settings.put(key, new SettingValue(value, name));
            }
        });
    }

    private static void warn(String name) {
        if (EnvironmentVariables.isUnknown(name)) {
            LOG.warn(
                    "{} is not a variable of Cordon's and is not read; a setting is CORDON_TABLE__NAME, such as"
                            + " CORDON_LIMITS__MEMORY",
                    name);
        }
    }

    private static Map<Limit, Long> limits(String table, SettingReader reader) {
        Map<Limit, Long> amounts = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            Long amount = reader.written(CoreTables.limit(table, limit));
            if (amount != null) {
                amounts.put(limit, amount);
            }
        }
        return amounts;
    }

    /**
     * A default that was set may not pass its ceiling; a built-in one follows it down. A limit without a default (file size, address
     * space) that has a ceiling gets it as its default: a ceiling that held only for those who ask would be none.
     */
    private static Map<Limit, Long> withinCeilings(
            Map<Limit, Long> set, Map<Limit, Long> ceilings, SettingReader reader) {
        Map<Limit, Long> defaults = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            long ceiling = ceilings.getOrDefault(limit, limit.most());
            Long amount = set.get(limit);
            if (amount != null && amount > ceiling) {
                reader.wrong(
                        CoreTables.limit("limits", limit),
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

    /** The file that policy.file names, else policy.toml beside the configuration. Root trusts only what root alone may change. */
    private @Nullable Path policy(SettingReader reader) {
        Path usual = beside("policy.toml");
        Path file = reader.value(CoreTables.POLICY, usual);
        if (!reader.isWritten(CoreTables.POLICY) && !Files.exists(usual, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        if (!Files.isRegularFile(file)) {
            reader.wrong("policy.file: " + file + " is not a file; name an existing policy, see cordon policy check");
        } else if (places.uid() == 0 && !isRoots(file)) {
            reader.wrong(changeable(file));
        }
        return file;
    }

    /** The directory that tools.directory names, else tools beside the configuration. Root trusts only what root alone may change. */
    private Path tools(SettingReader reader) {
        Path directory = reader.value(CoreTables.TOOLS, beside("tools"));
        if (reader.isWritten(CoreTables.TOOLS) && !Files.isDirectory(directory)) {
            reader.wrong("tools.directory: " + directory + " is not a directory; name an existing one");
        } else {
            trustworthy(directory, reader);
        }
        return directory;
    }

    private void trustworthy(Path directory, SettingReader reader) {
        if (places.uid() != 0 || !Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            Stream.concat(Stream.of(directory), entries)
                    .filter(entry -> !isRoots(entry))
                    .forEach(entry -> reader.wrong(changeable(entry)));
        } catch (IOException e) {
            reader.wrong(directory + ": cannot be listed; make the directory readable");
        }
    }

    private static String changeable(Path file) {
        return file + ": could be changed by others than root; chown root and chmod go-w it";
    }
}
