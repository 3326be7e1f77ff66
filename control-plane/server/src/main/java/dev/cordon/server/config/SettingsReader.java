package dev.cordon.server.config;

import dev.cordon.config.Config;
import dev.cordon.config.ProcessJobs;
import dev.cordon.config.setting.SettingReader;
import dev.cordon.config.setting.SettingValue;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.JobQueue;
import dev.cordon.server.job.SandboxDesk;
import dev.cordon.server.store.JobHistory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the service's table of the configuration, below what the command line says. */
public final class SettingsReader {
    /** Two streams; a control character is six in JSON; and room beside them. */
    private static final long MOST_OF_ONE = 16;

    /** Of the heap; the rest is for requests, what is remembered and the service itself. */
    private static final ByteSize HEAP_SHARE = ByteSize.kib(Runtime.getRuntime().maxMemory() / 8 * 3 / 1024);

    private final Config config;
    private final SettingReader reader;

    private SettingsReader(Config config) {
        this.config = config;
        Map<String, SettingValue> own = new TreeMap<>(config.settings());
        own.keySet().removeIf(name -> !name.startsWith(ServerTable.NAME + "."));
        this.reader = new SettingReader(own);
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
        String socket = reader.value(
                ServerTable.SOCKET, config.runDirectory().resolve("cordon.sock").toString());
        String listen = reader.value(ServerTable.LISTEN, "");
        listen = flags.listen() == null ? listen : flags.listen();
        socket = flags.socket() == null ? (flags.listen() == null ? socket : "") : flags.socket();
        Path state = flags.state() == null
                ? config.stateDirectory().resolve("server")
                : Path.of(flags.state()).toAbsolutePath().normalize();
        String credentials =
                reader.value(ServerTable.TOKEN_FILES, System.getenv().getOrDefault("CREDENTIALS_DIRECTORY", ""));
        Optional<ListenAddress.Tcp> tcp = tcp(listen);
        JobQueue.Bounds queue = queue();
        SandboxDesk.Bounds sandboxes = sandboxes();
        ServerSettings settings = new ServerSettings(
                socket.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Path.of(socket).toAbsolutePath()),
                group(),
                tcp,
                hosts(tcp),
                state,
                credentials.isEmpty() ? null : Path.of(credentials),
                reader.value(ServerTable.TOKEN_LIFETIME),
                queue,
                sandboxes,
                reader.value(ServerTable.WAIT),
                reader.value(ServerTable.MAX_REQUEST).bytes(),
                output(queue.memory()),
                reader.value(ServerTable.MAX_ARTIFACTS).bytes(),
                new JobHistory.Bounds(
                        reader.value(ServerTable.KEEP_JOBS),
                        reader.value(ServerTable.KEEP_FOR),
                        reader.value(ServerTable.KEEP_OUTPUT).bytes()),
                reader.value(ServerTable.PROCESS_JOBS_AS_SERVICE_USER)
                        ? ProcessJobs.BY_RULE_AS_THIS_USER
                        : ProcessJobs.BY_RULE);
        long most = MOST_OF_ONE * settings.output();
        if (settings.history().output() < most) {
            reader.wrong(
                    ServerTable.KEEP_OUTPUT,
                    "is less than " + ByteSize.bytes(most)
                            + ", what one job can take: two streams of server.max_output, as JSON",
                    "keep more, or lower server.max_output");
        }
        List<String> errors = reader.errors(List.of(ServerTable.TABLE));
        if (!errors.isEmpty()) {
            throw new ServiceRefused(errors);
        }
        if (settings.socket().isEmpty() && tcp.isEmpty()) {
            throw new ServiceRefused("nothing to listen on; give --socket PATH or --listen HOST:PORT");
        }
        return settings;
    }

    private JobQueue.Bounds queue() {
        int running = reader.value(
                ServerTable.MAX_RUNNING, Math.max(8, 4 * Runtime.getRuntime().availableProcessors()));
        int waiting = reader.value(ServerTable.MAX_QUEUE);
        return new JobQueue.Bounds(
                running,
                reader.value(ServerTable.MAX_RUNNING_PER_OWNER, running - running / 8),
                waiting,
                reader.value(ServerTable.MAX_QUEUE_PER_OWNER, Math.max(1, waiting / 2)),
                reader.value(ServerTable.OUTPUT_MEMORY, HEAP_SHARE).bytes());
    }

    private SandboxDesk.Bounds sandboxes() {
        int all = reader.value(ServerTable.MAX_SANDBOXES);
        Duration idle = reader.value(ServerTable.SANDBOX_IDLE);
        Duration mostIdle = reader.value(ServerTable.MAX_SANDBOX_IDLE);
        if (idle.compareTo(mostIdle) > 0) {
            reader.wrong(
                    ServerTable.SANDBOX_IDLE,
                    "is more than server.max_sandbox_idle = " + DurationFormat.format(mostIdle),
                    "lower the first or raise the second");
        }
        return new SandboxDesk.Bounds(
                all, reader.value(ServerTable.MAX_SANDBOXES_PER_OWNER, all - all / 8), idle, mostIdle);
    }

    /** What one job may keep: 16 MiB, or what an owner's share of the memory has room for. */
    private long output(long memory) {
        long room = (memory - memory / 4) / JobDesk.OUTPUT_COPIES;
        ByteSize asked = reader.written(ServerTable.MAX_OUTPUT);
        if (asked == null) {
            return Math.min(ServerTable.MAX_OUTPUT.standardValue().bytes(), room);
        }
        if (asked.bytes() > room) {
            reader.wrong(
                    ServerTable.MAX_OUTPUT,
                    "is more than " + ByteSize.bytes(room) + ", an eighth of server.output_memory = "
                            + ByteSize.bytes(memory) + ": one owner has three quarters of that, and the output of one"
                            + " job can be in memory six times",
                    "lower it, raise server.output_memory, or give the service a larger heap (-Xmx)");
        }
        return asked.bytes();
    }

    /**
     * How long a token lasts of which nobody says how long.
     *
     * @throws IllegalArgumentException when the setting is wrong
     */
    public static Duration tokenLifetime(Config config) {
        SettingsReader settings = new SettingsReader(config);
        Duration time = settings.reader.value(ServerTable.TOKEN_LIFETIME);
        settings.reader.errors().stream().findFirst().ifPresent(error -> {
            throw new IllegalArgumentException(error);
        });
        return time;
    }

    private Optional<ListenAddress.Tcp> tcp(String listen) {
        ListenAddress.Tls tls = tls();
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
                    reader.wrong(
                            "listen " + listen + ": is not the loopback address, so that tokens and code would cross a"
                                    + " network in the clear; set server.tls_keystore and"
                                    + " server.tls_password_file, or listen on 127.0.0.1 behind a proxy"
                                    + " that speaks TLS");
                }
                return Optional.of(new ListenAddress.Tcp(host, port, tls));
            }
        } catch (NumberFormatException e) {
            // told below
        } catch (UnknownHostException e) {
            reader.wrong("listen " + listen + ": the host is not known; give an address of this machine");
            return Optional.empty();
        }
        reader.wrong("listen " + listen + ": is not HOST:PORT; write one such as 127.0.0.1:8080");
        return Optional.empty();
    }

    private ListenAddress.@Nullable Tls tls() {
        String store = reader.value(ServerTable.TLS_KEYSTORE, "");
        String password = reader.value(ServerTable.TLS_PASSWORD_FILE, "");
        if (store.isEmpty() && password.isEmpty()) {
            return null;
        }
        try {
            if (!Files.isReadable(Path.of(store))) {
                throw new IOException(store + " cannot be read");
            }
            return new ListenAddress.Tls(
                    Path.of(store), Files.readString(Path.of(password)).strip());
        } catch (IOException e) {
            reader.wrong("server.tls_keystore: " + e.getMessage()
                    + "; name a readable PKCS#12 file, and the file with its password");
            return null;
        }
    }

    private Set<String> hosts(Optional<ListenAddress.Tcp> tcp) {
        Set<String> hosts = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "[::1]"));
        tcp.ifPresent(listener -> hosts.add(
                listener.host().contains(":")
                        ? "[" + listener.host() + "]"
                        : listener.host().toLowerCase(Locale.ROOT)));
        for (String host : reader.value(ServerTable.HOSTS, "").split(",", -1)) {
            if (!host.isBlank()) {
                hosts.add(host.trim().toLowerCase(Locale.ROOT));
            }
        }
        return hosts;
    }

    /** The group cordon where there is one; another one must exist. */
    private @Nullable String group() {
        String group = reader.value(ServerTable.GROUP);
        try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
            return group;
        } catch (IOException e) {
            if (reader.isWritten(ServerTable.GROUP)) {
                reader.wrong(ServerTable.GROUP, "there is no such group", "groupadd it");
            }
            return null;
        }
    }
}
