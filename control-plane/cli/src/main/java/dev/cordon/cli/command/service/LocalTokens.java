package dev.cordon.cli.command.service;

import dev.cordon.cli.parse.UsageError;
import dev.cordon.server.ServiceCommands;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tokens in a state directory of this user.
 *
 * @param config the file of settings; null for the usual ones
 * @param state  the directory; null for that of the settings
 */
record LocalTokens(@Nullable String config, @Nullable String state) implements TokenGateway {
    @Override
    public String create(String owner, String role, String note, @Nullable Duration lifetime) throws UsageError {
        return checked(() -> ServiceCommands.createToken(config, state, owner, role, note, lifetime));
    }

    @Override
    public String list() throws UsageError {
        return checked(() -> ServiceCommands.listTokens(config, state));
    }

    @Override
    public boolean revoke(String id, boolean cancelJobs) throws UsageError {
        if (cancelJobs) {
            throw new UsageError("--cancel-jobs: only the service can, and none was found; name it with CORDON_HOST, or"
                    + " revoke the token without it and restart the service");
        }
        return checked(() -> ServiceCommands.revokeToken(config, state, id));
    }

    private static <T> T checked(Supplier<T> work) throws UsageError {
        try {
            return work.get();
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }
}
