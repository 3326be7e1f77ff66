package dev.cordon.cli;

import dev.cordon.cli.service.Address;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands that a service does: whom to ask, with which token, and how its trouble is told. */
final class Remote {
    static final String INSTEAD = "without the service: --local, or CORDON_HOST=none";

    private static final int FAILED = 125;
    private static final int LONGEST_TOKEN = 4 << 10;

    private Remote() {}

    static int run(String host, RemoteCommand command, Arguments arguments, Stdio stdio)
            throws UsageError, IOException {
        ServiceClient service;
        try {
            service = new ServiceClient(
                    Address.parse(host, stdio.environment().getOrDefault("CORDON_CA_FILE", "")),
                    token(stdio.environment()));
        } catch (IllegalArgumentException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
        try {
            for (Option own : ServiceChoice.OWN) {
                refuse(arguments, own, "settings, state and log are the service's own");
            }
            return command.run(arguments, stdio, service);
        } catch (ServiceLost e) {
            stdio.message(e.getMessage() + "; see that it runs (cordon serve), or do it " + INSTEAD);
            return FAILED;
        } catch (Refusal e) {
            stdio.message("the service at " + service.where() + " refused: " + e.detail());
            if (e.code().equals("unauthenticated")) {
                stdio.message(
                        "CORDON_TOKEN or CORDON_TOKEN_FILE holds the token; cordon token create makes the first one"
                                + " without CORDON_HOST, on the service's host");
            }
            return FAILED;
        }
    }

    /** An option that a service cannot follow is never passed over in silence. */
    static UsageError refused(Option option, String why) {
        return new UsageError(
                option.names().getLast() + " is not possible with a service: " + why + "; do it " + INSTEAD);
    }

    /** A command that a service has no way to do is not done to anything else instead. */
    static RemoteCommand impossible(String command) {
        return (arguments, stdio, service) -> {
            throw new UsageError(command + " is not possible with a service, and there is one at " + service.where()
                    + "; for images of your own: --local, or CORDON_HOST=none; for the service's: the same on its host,"
                    + " as its user, with CORDON_PATHS__STATE set to its state directory");
        };
    }

    /** Refuses an option when it is there. */
    static void refuse(Arguments arguments, Option option, String why) throws UsageError {
        if (arguments.has(option)) {
            throw refused(option, why);
        }
    }

    private static @Nullable String token(Map<String, String> environment) throws UsageError {
        String token = environment.getOrDefault("CORDON_TOKEN", "");
        String file = environment.getOrDefault("CORDON_TOKEN_FILE", "");
        if (token.isEmpty() && !file.isEmpty()) {
            try (var in = Files.newInputStream(Path.of(file))) {
                token = new String(in.readNBytes(LONGEST_TOKEN), StandardCharsets.US_ASCII).trim();
            } catch (IOException | IllegalArgumentException e) {
                throw new UsageError("CORDON_TOKEN_FILE: " + file + " cannot be read: " + e.getMessage());
            }
        }
        if (!token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new UsageError("CORDON_TOKEN is no token; cordon token create makes one");
        }
        return token.isEmpty() ? null : token;
    }
}
