package dev.cordon.cli.command.service;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.server.ServiceCommands;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** {@code cordon token}: who may use the service over TCP. */
public final class TokenCommands {
    private static final CommandOption OWNER =
            CommandOption.value("--owner", "NAME", "Whose jobs it sees. Default: local.");
    private static final CommandOption ROLE =
            CommandOption.value("--role", "ROLE", "How far it goes: read, submit or admin. Default: submit.");
    private static final CommandOption NOTE = CommandOption.value("--note", "TEXT", "What it is for.");
    private static final CommandOption EXPIRES = CommandOption.value(
            "--expires",
            "TIME",
            "Ends it after this time, such as 30d; never: not at all. Default: 90d, or server.token_lifetime.");
    private static final CommandOption CANCEL =
            CommandOption.flag("--cancel-jobs", "Cancel the jobs of the token's owner, too; a service does that.");
    private static final long HOUR = 3_600;
    private static final long DAY = 24 * HOUR;

    private TokenCommands() {}

    public static CommandSpec create() {
        List<CommandOption> options = List.of(
                OWNER,
                ROLE,
                NOTE,
                EXPIRES,
                CommandOption.STATE,
                CommandOption.CONFIG,
                CommandOption.LOCAL,
                CommandOption.JSON);
        return new CommandSpec("create", "", TokenCommands::create, options, """
            Make a token and print it. It is shown once: the service keeps its hash.

            A service that CORDON_HOST names, or whose socket is in the usual place, makes it: as root or
            the service's user on the socket, or with an administrator's token. Without one it is written
            into the state directory of this user, or into --state, where a service of the same user that
            listens on TCP only knows it at once.\
            """);
    }

    private static int create(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        TokenGateway tokens = TokenGateway.of(arguments, stdio);
        String made = tokens.create(
                arguments.value(OWNER).orElse("local"),
                arguments.value(ROLE).orElse("submit"),
                arguments.value(NOTE).orElse(""),
                lifetime(arguments.value(EXPIRES).orElse(null)));
        JsonNode token = ServiceClient.MAPPER.readTree(made);
        if (arguments.has(CommandOption.JSON)) {
            stdio.print(token + "\n");
            return 0;
        }
        String expires = token.path("expires_at").asString("");
        stdio.message(expires.isEmpty() ? "the token never expires" : "the token expires on " + expires);
        stdio.print(token.path("token").asString("") + "\n");
        return 0;
    }

    private static @Nullable Duration lifetime(@Nullable String text) throws UsageError {
        if (text == null) {
            return null;
        }
        Duration time;
        try {
            time = text.equals("never") ? ServiceCommands.NEVER : DurationFormat.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
        if (!time.isPositive()) {
            throw new UsageError("--expires: a token that is over at once is not a token; give a time such as 30d");
        }
        return time;
    }

    public static CommandSpec list() {
        List<CommandOption> options =
                List.of(CommandOption.JSON, CommandOption.STATE, CommandOption.CONFIG, CommandOption.LOCAL);
        return new CommandSpec("ls", "", TokenCommands::list, options, """
            List the tokens of the service, the oldest first, with when they expire and what is left of that.\
            """);
    }

    private static int list(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        String list = TokenGateway.of(arguments, stdio).list();
        if (arguments.has(CommandOption.JSON)) {
            stdio.print(list + "\n");
            return 0;
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode token : ServiceClient.MAPPER.readTree(list).path("data")) {
            String line = "%-14s %-20s %-7s expires %-30s %s"
                    .formatted(
                            token.path("id").asString(""),
                            token.path("owner").asString(""),
                            token.path("role").asString(""),
                            expires(token.path("expires_at").asString("")),
                            token.path("note").asString(""));
            text.append(TerminalText.visible(line.stripTrailing())).append('\n');
        }
        stdio.print(text.toString());
        return 0;
    }

    private static String expires(String at) {
        if (at.isEmpty()) {
            return "never";
        }
        Instant end = Instant.parse(at);
        long left = Duration.between(Instant.now(), end).toSeconds();
        return end.truncatedTo(ChronoUnit.SECONDS) + (left <= 0 ? " (over)" : " (in " + shortened(left) + ")");
    }

    private static String shortened(long seconds) {
        return seconds >= DAY ? seconds / DAY + "d" : seconds >= HOUR ? seconds / HOUR + "h" : seconds / 60 + "m";
    }

    public static CommandSpec revoke() {
        List<CommandOption> options = List.of(CANCEL, CommandOption.STATE, CommandOption.CONFIG, CommandOption.LOCAL);
        return new CommandSpec("revoke", "ID", TokenCommands::revoke, options, """
            End a token by its id, which cordon token ls shows.

            It is refused from the next request on, and the streams and terminals that it has open end: at once
            where the service revokes it, within a second where this command takes it out of the service's
            state. Jobs that were submitted with it go on, unless --cancel-jobs is given.\
            """);
    }

    private static int revoke(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure {
        TokenGateway tokens = TokenGateway.of(arguments, stdio);
        if (arguments.operands().size() != 1 || arguments.operands().getFirst().isEmpty()) {
            throw new UsageError("name one token, hint: cordon token ls");
        }
        String id = arguments.operands().getFirst();
        if (!tokens.revoke(id, arguments.has(CANCEL))) {
            throw new CommandFailure(
                    CommandFailure.NOT_FOUND, "there is no token of the id " + id + ", hint: cordon token ls");
        }
        return 0;
    }
}
