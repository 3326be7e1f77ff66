package dev.cordon.server;

import dev.cordon.api.ByteSize;
import dev.cordon.api.DurationFormat;
import dev.cordon.config.Config;
import dev.cordon.config.ConfigKeys;
import dev.cordon.config.ProcessJobs;
import dev.cordon.config.Setting;
import dev.cordon.server.history.Tokens;
import dev.cordon.server.http.Listener;
import dev.cordon.server.jobs.JobDesk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The {@code server.} keys of the configuration, below what the command line says. */
public final class SettingsReader {
    private static final String PREFIX = "server.";

    /** Two streams; a control character is six in JSON; and room beside them. */
    private static final long MOST_OF_ONE = 16;

    /** Of the heap; the rest is for requests, what is remembered and the service itself. */
    private static final ByteSize HEAP_SHARE = ByteSize.kib(Runtime.getRuntime().maxMemory() / 8 * 3 / 1024);

    private final Config config;
    private final Map<String, Setting> left = new HashMap<>();
    private final List<String> errors = new ArrayList<>();

    private SettingsReader(Config config) {
        this.config = config;
        config.settings().forEach((key, setting) -> {
            if (key.startsWith(PREFIX)) {
                left.put(key.substring(PREFIX.length()), setting);
            }
        });
    }

    /**
     * What the command line says; null where it says nothing.
     *
     * @param socket the unix socket
     * @param listen HOST:PORT
     * @param state  what outlives a restart
     */
    public record Flags(
            @Nullable String socket,
            @Nullable String listen,
            @Nullable String state) {}

    /**
     * Reads them.
     *
     * @throws ServiceRefused with every error
     */
    public static ServerSettings read(Config config, Flags flags) throws ServiceRefused {
        return new SettingsReader(config).read(flags);
    }

    private ServerSettings read(Flags flags) throws ServiceRefused {
        String socket =
                text("socket", config.runDirectory().resolve("cordon.sock").toString());
        String listen = text("listen", "");
        listen = flags.listen() == null ? listen : flags.listen();
        socket = flags.socket() == null ? (flags.listen() == null ? socket : "") : flags.socket();
        Path state = flags.state() == null
                ? config.stateDirectory().resolve("server")
                : Path.of(flags.state()).toAbsolutePath().normalize();
        String credentials = text("token_files", System.getenv().getOrDefault("CREDENTIALS_DIRECTORY", ""));
        Optional<Listener.Tcp> tcp = tcp(listen);
        int cpus = Runtime.getRuntime().availableProcessors();
        int running = number("max_running", Math.max(8, 4 * cpus), 100_000);
        int waiting = number("max_queue", 256, 1_000_000);
        long memory = value("output_memory", HEAP_SHARE.toString(), SettingsReader::size, HEAP_SHARE)
                .bytes();
        int sandboxes = number("max_sandboxes", 64, 100_000);
        Duration idle = value("sandbox_idle", "1h", SettingsReader::time, Duration.ofHours(1));
        Duration mostIdle = value("max_sandbox_idle", "7d", SettingsReader::time, Duration.ofDays(7));
        if (idle.compareTo(mostIdle) > 0) {
            errors.add(
                    "server.sandbox_idle = " + DurationFormat.format(idle) + ": is more than server.max_sandbox_idle = "
                            + DurationFormat.format(mostIdle) + "; lower the first or raise the second");
        }
        ServerSettings settings = new ServerSettings(
                socket.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Path.of(socket).toAbsolutePath()),
                group(),
                tcp,
                hosts(tcp),
                state,
                credentials.isEmpty() ? null : Path.of(credentials),
                value("token_lifetime", "90d", SettingsReader::lifetime, Tokens.USUAL),
                new ServerSettings.Jobs(
                        running,
                        number("max_running_per_owner", running - running / 8, 100_000),
                        waiting,
                        number("max_queue_per_owner", Math.max(1, waiting / 2), 1_000_000),
                        sandboxes,
                        number("max_sandboxes_per_owner", sandboxes - sandboxes / 8, 100_000),
                        idle,
                        mostIdle,
                        memory),
                value("wait", "30s", SettingsReader::time, Duration.ZERO),
                value("max_request", "4M", SettingsReader::size, ByteSize.bytes(0))
                        .bytes(),
                output(memory),
                value("max_artifacts", "1G", SettingsReader::size, ByteSize.bytes(0))
                        .bytes(),
                number("keep_jobs", 10_000, 10_000_000),
                value("keep_for", "7d", SettingsReader::time, Duration.ZERO),
                value("process_jobs_as_service_user", "false", SettingsReader::processJobs, ProcessJobs.BY_RULE),
                value("keep_output", "1G", SettingsReader::size, ByteSize.bytes(0))
                        .bytes());
        left.forEach((key, setting) -> errors.add(ConfigKeys.unknown(PREFIX + key, setting)));
        if (settings.keptOutput() < MOST_OF_ONE * settings.output()) {
            errors.add("server.keep_output = " + ByteSize.bytes(settings.keptOutput()) + ": is less than "
                    + ByteSize.bytes(MOST_OF_ONE * settings.output())
                    + ", what one job can take: two streams of server.max_output, as JSON; keep more, or lower"
                    + " server.max_output");
        }
        if (settings.socket().isEmpty() && tcp.isEmpty() && errors.isEmpty()) {
            errors.add("nothing to listen on; give --socket PATH or --listen HOST:PORT");
        }
        if (!errors.isEmpty()) {
            throw new ServiceRefused(errors);
        }
        return settings;
    }

    /** What one job may keep: 16 MiB, or what an owner's share of the memory has room for. */
    private long output(long memory) {
        long room = (memory - memory / 4) / JobDesk.OUTPUT_COPIES;
        boolean asked = left.containsKey("max_output");
        long usual = Math.min(ByteSize.mib(16).bytes(), room);
        long most = value("max_output", Long.toString(usual), SettingsReader::size, ByteSize.bytes(usual))
                .bytes();
        if (asked && most > room) {
            errors.add("server.max_output = " + ByteSize.bytes(most) + ": is more than " + ByteSize.bytes(room)
                    + ", an eighth of server.output_memory = " + ByteSize.bytes(memory)
                    + ": one owner has three quarters of that, and the output of one job can be in memory six times;"
                    + " lower it, raise server.output_memory, or give the service a larger heap (-Xmx)");
        }
        return most;
    }

    private static ByteSize size(String text) {
        ByteSize size = ByteSize.parse(text);
        if (size.bytes() < 1) {
            throw new IllegalArgumentException("is not above zero; give a size such as 16M");
        }
        return size;
    }

    private static Duration time(String text) {
        Duration time = DurationFormat.parse(text);
        if (!time.isPositive()) {
            throw new IllegalArgumentException("is not above zero; give a time such as 30s");
        }
        return time;
    }

    private static Duration lifetime(String text) {
        Duration time = time(text);
        if (time.compareTo(Tokens.LONGEST) > 0) {
            throw new IllegalArgumentException("is more than " + Tokens.LONGEST.toDays()
                    + "d; give less, and make tokens that never expire with --expires never");
        }
        return time;
    }

    /**
     * How long a token lasts of which nobody says how long.
     *
     * @throws IllegalArgumentException when the setting is wrong
     */
    static Duration tokenLifetime(Config config) {
        SettingsReader reader = new SettingsReader(config);
        Duration time = reader.value("token_lifetime", "90d", SettingsReader::lifetime, Tokens.USUAL);
        if (!reader.errors.isEmpty()) {
            throw new IllegalArgumentException(reader.errors.getFirst());
        }
        return time;
    }

    private static ProcessJobs processJobs(String asThisUser) {
        return switch (asThisUser) {
            case "true" -> ProcessJobs.BY_RULE_AS_THIS_USER;
            case "false" -> ProcessJobs.BY_RULE;
            default -> throw new IllegalArgumentException("is neither true nor false; write one of them");
        };
    }

    private Optional<Listener.Tcp> tcp(String listen) {
        Listener.Tls tls = tls();
        if (listen.isEmpty()) {
            return Optional.empty();
        }
        int colon = listen.lastIndexOf(':');
        String host =
                colon < 1 ? "" : listen.substring(0, colon).replace("[", "").replace("]", "");
        try {
            int port = Integer.parseInt(listen.substring(colon + 1));
            if (!host.isEmpty() && port >= 0 && port <= 65_535) {
                if (!InetAddress.getByName(host).isLoopbackAddress() && tls == null) {
                    errors.add(
                            "listen " + listen + ": is not the loopback address, so that tokens and code would cross a"
                                    + " network in the clear; set server.tls_keystore and"
                                    + " server.tls_password_file, or listen on 127.0.0.1 behind a proxy"
                                    + " that speaks TLS");
                }
                return Optional.of(new Listener.Tcp(host, port, tls));
            }
        } catch (NumberFormatException e) {
            // told below
        } catch (UnknownHostException e) {
            errors.add("listen " + listen + ": the host is not known; give an address of this machine");
            return Optional.empty();
        }
        errors.add("listen " + listen + ": is not HOST:PORT; write one such as 127.0.0.1:8080");
        return Optional.empty();
    }

    private Listener.@Nullable Tls tls() {
        String store = text("tls_keystore", "");
        String password = text("tls_password_file", "");
        if (store.isEmpty() && password.isEmpty()) {
            return null;
        }
        try {
            if (!Files.isReadable(Path.of(store))) {
                throw new IOException(store + " cannot be read");
            }
            return new Listener.Tls(
                    Path.of(store), Files.readString(Path.of(password)).strip());
        } catch (IOException e) {
            errors.add("server.tls_keystore: " + e.getMessage()
                    + "; name a readable PKCS#12 file, and the file with its password");
            return null;
        }
    }

    private Set<String> hosts(Optional<Listener.Tcp> tcp) {
        Set<String> hosts = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "[::1]"));
        tcp.ifPresent(listener -> hosts.add(
                listener.host().contains(":")
                        ? "[" + listener.host() + "]"
                        : listener.host().toLowerCase(Locale.ROOT)));
        for (String host : text("hosts", "").split(",", -1)) {
            if (!host.isBlank()) {
                hosts.add(host.trim().toLowerCase(Locale.ROOT));
            }
        }
        return hosts;
    }

    /** The group cordon where there is one; another one must exist. */
    private @Nullable String group() {
        Setting set = left.get("group");
        String group = text("group", "cordon");
        try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
            return group;
        } catch (IOException e) {
            if (set != null) {
                errors.add(set.source() + ": server.group = '" + group + "': there is no such group; groupadd it");
            }
            return null;
        }
    }

    private String text(String key, String otherwise) {
        Setting setting = left.remove(key);
        return setting == null ? otherwise : setting.text();
    }

    private int number(String key, int otherwise, int most) {
        return value(
                key,
                Integer.toString(otherwise),
                text -> {
                    int number = Integer.parseInt(text);
                    if (number < 1 || number > most) {
                        throw new IllegalArgumentException("is not between 1 and " + most);
                    }
                    return number;
                },
                otherwise);
    }

    private <T> T value(String key, String otherwise, Function<String, T> parser, T onError) {
        Setting setting = left.getOrDefault(key, new Setting(otherwise, "default"));
        left.remove(key);
        try {
            return parser.apply(setting.text());
        } catch (IllegalArgumentException e) {
            errors.add(setting.source() + ": server." + key + " = '" + setting.text() + "': " + e.getMessage());
            return onError;
        }
    }
}
