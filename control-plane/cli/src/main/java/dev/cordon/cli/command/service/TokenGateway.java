package dev.cordon.cli.command.service;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The tokens of a service: in its state directory, or through itself. */
interface TokenGateway {
    /** The one that a command line means. */
    static TokenGateway of(ParsedArguments arguments, StandardStreams stdio) throws UsageError {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        return service == null
                ? new LocalTokens(
                        arguments.value(CommandOption.CONFIG).orElse(null),
                        arguments.value(CommandOption.STATE).orElse(null))
                : new ServiceTokens(service);
    }

    /**
     * Makes one, and returns it with its secret as the API tells it.
     *
     * @param lifetime null for the usual one
     */
    String create(String owner, String role, String note, @Nullable Duration lifetime) throws CommandFailure;

    /** All of them as the API tells them. */
    String list() throws CommandFailure;

    /** Ends one, and with it the jobs of its owner if that is asked for; false when there is none of this id. */
    boolean revoke(String id, boolean cancelJobs) throws CommandFailure;
}
