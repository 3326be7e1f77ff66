package dev.cordon.cli.parse;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.terminal.StandardStreams;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a service does what a command asks for, or this process. In this order: {@code --local}; {@code CORDON_HOST}, where {@code none}
 * means this process; settings, a state directory or a log that the caller names, which are not the service's; a socket in one of the usual places that this user
 * may open. Loads nothing that speaks HTTP: most commands do without.
 */
public final class ServiceChoice {
    static final String HOST = "CORDON_HOST";
    static final String NONE = "none";

    /** Where the package's service listens. */
    private static final Path INSTALLED = Path.of("/run/cordon/service/cordon.sock");

    /** What names something else than what a service has. */
    static final List<CommandOption> OWN = List.of(CommandOption.CONFIG, CommandOption.STATE, CommandOption.DIRECTORY);

    private static final String SOCKET = "cordon.sock";

    private ServiceChoice() {}

    /** The service that does it; null for this process. */
    public static @Nullable ServiceClient service(ParsedArguments arguments, StandardStreams stdio) throws UsageError {
        Optional<String> host = of(arguments, stdio.environment());
        return host.isEmpty() ? null : ServiceOpening.of(host.get(), arguments, stdio.environment());
    }

    /** The service, for what no other can do. */
    public static ServiceClient service(ParsedArguments arguments, StandardStreams stdio, String does)
            throws UsageError {
        ServiceClient service = service(arguments, stdio);
        if (service == null) {
            throw new UsageError("no service is there, and only a service " + does
                    + "; start one with cordon serve, or name it with CORDON_HOST");
        }
        return service;
    }

    /** The address as it would be written in CORDON_HOST; empty for this process. */
    static Optional<String> of(ParsedArguments arguments, Map<String, String> environment) {
        String host = environment.getOrDefault(HOST, "");
        if (arguments.has(CommandOption.LOCAL) || host.equals(NONE)) {
            return Optional.empty();
        }
        if (!host.isEmpty()) {
            return Optional.of(host);
        }
        if (!environment.getOrDefault("CORDON_CONFIG", "").isEmpty()) {
            return Optional.empty();
        }
        for (CommandOption own : OWN) {
            if (arguments.has(own)) {
                return Optional.empty();
            }
        }
        for (Path socket : usual(environment)) {
            if (Files.isWritable(socket)) {
                return Optional.of("unix:" + socket);
            }
        }
        return Optional.empty();
    }

    private static List<Path> usual(Map<String, String> environment) {
        if ("root".equals(System.getProperty("user.name"))) {
            return List.of(Path.of("/run/cordon", SOCKET), INSTALLED);
        }
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        return runtime.startsWith("/") ? List.of(Path.of(runtime, "cordon", SOCKET), INSTALLED) : List.of(INSTALLED);
    }
}
