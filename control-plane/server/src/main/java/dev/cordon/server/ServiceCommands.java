package dev.cordon.server;

import dev.cordon.config.Config;
import dev.cordon.config.InvalidConfig;
import dev.cordon.policy.file.InvalidPolicy;
import dev.cordon.server.access.Role;
import dev.cordon.server.access.TokenSecret;
import dev.cordon.server.config.ServerSettings;
import dev.cordon.server.config.ServiceRefused;
import dev.cordon.server.config.SettingsReader;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.log.LogSetup;
import dev.cordon.server.route.TokenJson;
import dev.cordon.server.store.SqliteDatabase;
import dev.cordon.server.store.StorageUnavailable;
import dev.cordon.server.store.TokenStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the command line can ask of this module. The types are the JDK's, so that naming this class loads nothing else. */
public final class ServiceCommands {
    /** The lifetime of a token that never expires. */
    public static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

    private static final int FAILED = 125;

    /** EX_CONFIG of sysexits(3): with the same settings every later start would end like this one, so that the unit does not try. */
    private static final int SETTINGS_REFUSED = 78;

    private ServiceCommands() {}

    /**
     * Serves until the process is told to end.
     *
     * @return the exit code
     */
    public static int serve(
            @Nullable String config,
            @Nullable String socket,
            @Nullable String listen,
            @Nullable String state,
            Consumer<String> messages) {
        LogSetup.start(System.getenv());
        openEveryJar();
        Path file = config == null ? null : Path.of(config);
        Config settings;
        ServerSettings server;
        try {
            settings = StateDirectory.audited(Config.load(file), state);
            server = SettingsReader.read(settings, new SettingsReader.Flags(socket, listen, state));
        } catch (InvalidConfig e) {
            return refused("configuration: ", e.errors(), messages);
        } catch (ServiceRefused e) {
            return refused("", e.errors(), messages);
        }
        try {
            serve(Service.start(settings, server, () -> StateDirectory.audited(Config.load(file), state)), messages);
            return 0;
        } catch (InvalidPolicy e) {
            return refused("policy: ", e.errors(), messages);
        } catch (ServiceRefused e) {
            LogSetup.drain();
            e.errors().forEach(messages);
            return FAILED;
        }
    }

    /**
     * A class whose jar cannot be opened, as without descriptors, is missing for good: the machine never looks for it again. Looking for
     * what no jar has opens all of them, and they stay open.
     */
    private static void openEveryJar() {
        if (ClassLoader.getSystemResource("none/of/that/name") != null) {
            throw new IllegalStateException("a jar of this installation is not ours");
        }
    }

    private static int refused(String what, List<String> errors, Consumer<String> messages) {
        errors.forEach(error -> messages.accept(what + error));
        return SETTINGS_REFUSED;
    }

    /** What keeps a service from starting with these settings. */
    public static List<String> settingsErrors(Config config) {
        try {
            var _ = SettingsReader.read(config, new SettingsReader.Flags(null, null, null));
            return List.of();
        } catch (ServiceRefused e) {
            return e.errors();
        }
    }

    private static void serve(Service service, Consumer<String> messages) {
        SystemdNotifier systemd =
                SystemdNotifier.of(System.getenv(), ProcessHandle.current().pid());
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("cordon-stop").unstarted(() -> {
                    systemd.stopping();
                    service.close();
                    LogSetup.drain();
                    ended.countDown();
                }));
        List<String> places = new ArrayList<>();
        service.socket().ifPresent(path -> places.add("listening on " + path));
        if (service.port() >= 0) {
            places.add("listening on port " + service.port());
        }
        places.forEach(messages);
        systemd.ready(String.join(", ", places));
        Optional<SystemdWatchdog> watchdog =
                systemd.watchdog().map(period -> SystemdWatchdog.start(systemd, period, service.door()));
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watchdog.ifPresent(SystemdWatchdog::close);
        }
    }

    /**
     * Makes a token and returns it as the API does, with its secret.
     *
     * @param lifetime how long it lasts; {@link #NEVER} for ever, null for as long as the settings say
     */
    public static String createToken(
            @Nullable String config,
            @Nullable String state,
            String owner,
            String role,
            String note,
            @Nullable Duration lifetime) {
        if (lifetime != null && !lifetime.isPositive()) {
            throw new IllegalArgumentException(
                    "--expires: a token that is over at once is not a token; give a time such as 30d");
        }
        if (lifetime != null && !lifetime.equals(NEVER) && lifetime.compareTo(TokenStore.LONGEST) > 0) {
            throw new IllegalArgumentException("--expires: is more than " + TokenStore.LONGEST.toDays()
                    + "d; give less, or never for a token that does not expire");
        }
        Duration time = lifetime == null ? SettingsReader.tokenLifetime(loaded(config, state)) : lifetime;
        Instant expires = time.equals(NEVER) ? null : Instant.now().plus(time);
        return withTokens(config, state, null, tokens -> {
            TokenSecret secret = tokens.create(
                    owner,
                    Role.parse(role),
                    note,
                    expires,
                    id -> LocalActs.record(
                            loaded(config, state),
                            "cordon token create",
                            id,
                            owner,
                            Map.of("role", role, "expires", expires == null ? "never" : expires.toString())));
            return JsonTree.text(TokenJson.made(secret, owner, role, expires));
        });
    }

    /** The tokens as the API lists them. */
    public static String listTokens(@Nullable String config, @Nullable String state) {
        return withTokens(
                config,
                state,
                JsonTree.text(TokenJson.list(List.of())),
                tokens -> JsonTree.text(TokenJson.list(tokens.list())));
    }

    /** Ends a token; false when there is none of that id. */
    public static boolean revokeToken(@Nullable String config, @Nullable String state, String id) {
        return withTokens(config, state, false, tokens -> {
            boolean revoked = tokens.revoke(id);
            if (revoked) { // first: a log that cannot be written must not keep a stolen token alive
                LocalActs.record(loaded(config, state), "cordon token revoke", id, "", Map.of());
            }
            return revoked;
        });
    }

    private static Config loaded(@Nullable String file, @Nullable String state) {
        return StateDirectory.audited(Config.load(file == null ? null : Path.of(file)), state);
    }

    /** @param without the answer where there are no tokens, so that nothing is made; null where something is to be made */
    private static <T> T withTokens(
            @Nullable String config, @Nullable String state, @Nullable T without, Function<TokenStore, T> work) {
        try {
            Path directory = state == null
                    ? loaded(config, null).stateDirectory().resolve("server")
                    : Path.of(state).toAbsolutePath();
            if (without != null && !StateDirectory.isUsed(directory)) {
                return without;
            }
            try (SqliteDatabase database =
                    SqliteDatabase.open(StateDirectory.databaseOf(StateDirectory.prepared(directory)))) {
                return work.apply(new TokenStore(database));
            }
        } catch (IOException | StorageUnavailable e) {
            throw new IllegalArgumentException("the tokens cannot be reached: " + e.getMessage(), e);
        }
    }
}
