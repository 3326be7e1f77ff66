package dev.cordon.cli.parse;

import dev.cordon.cli.client.ServiceAddress;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whom to ask, with which token, and what a service cannot follow. */
public final class ServiceOpening {
    private static final int LONGEST_TOKEN = 4 << 10;

    private ServiceOpening() {}

    static ServiceClient of(String host, ParsedArguments arguments, Map<String, String> environment) throws UsageError {
        ServiceClient service;
        try {
            service = new ServiceClient(
                    ServiceAddress.parse(host, environment.getOrDefault("CORDON_CA_FILE", "")), token(environment));
        } catch (IllegalArgumentException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
        for (CommandOption own : ServiceChoice.OWN) {
            refuse(arguments, own, "settings, state and log are the service's own");
        }
        return service;
    }

    /** An option that a service cannot follow is never passed over in silence. */
    public static UsageError refused(CommandOption option, String why) {
        return new UsageError(option.names().getLast() + " is not possible with a service: " + why + "; do it "
                + ServiceLost.INSTEAD);
    }

    /** Refuses an option when it is there. */
    public static void refuse(ParsedArguments arguments, CommandOption option, String why) throws UsageError {
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
            throw new UsageError("CORDON_TOKEN is not a token; cordon token create makes one");
        }
        return token.isEmpty() ? null : token;
    }
}
