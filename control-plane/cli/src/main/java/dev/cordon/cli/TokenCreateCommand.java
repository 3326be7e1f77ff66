package dev.cordon.cli;

import dev.cordon.api.DurationFormat;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.server.ServiceCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code cordon token create}: prints a new token, once. */
final class TokenCreateCommand implements Command, RemoteCommand {

    private static final Option OWNER = Option.value("--owner", "NAME", "Whose jobs it sees. Default: local.");
    private static final Option ROLE =
            Option.value("--role", "ROLE", "How far it goes: read, submit or admin. Default: submit.");
    private static final Option NOTE = Option.value("--note", "TEXT", "What it is for.");
    private static final Option EXPIRES = Option.value(
            "--expires",
            "TIME",
            "Ends it after this time, such as 30d; never: not at all. Default: 90d, or server.token_lifetime.");

    @Override
    public String name() {
        return "create";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Make a token and print it. It is shown once: the service keeps its hash.",
                "",
                "A service that CORDON_HOST names, or whose socket is in the usual place, makes it: as root or",
                "the service's user on the socket, or with an administrator's token. Without one it is written",
                "into the state directory of this user, or into --state, where a service of the same user that",
                "listens on TCP only knows it at once.");
    }

    @Override
    public List<Option> options() {
        return List.of(OWNER, ROLE, NOTE, EXPIRES, Option.STATE, Option.CONFIG, Option.LOCAL, Option.JSON);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(this);
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        try {
            String made = ServiceCommands.createToken(
                    arguments.value(Option.CONFIG).orElse(null),
                    arguments.value(Option.STATE).orElse(null),
                    arguments.value(OWNER).orElse("local"),
                    arguments.value(ROLE).orElse("submit"),
                    arguments.value(NOTE).orElse(""),
                    lifetime(arguments).orElse(null));
            return print(ServiceClient.MAPPER.readTree(made), arguments, stdio);
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        ObjectNode body = ServiceClient.MAPPER
                .createObjectNode()
                .put("owner", arguments.value(OWNER).orElse("local"))
                .put("role", arguments.value(ROLE).orElse("submit"))
                .put("note", arguments.value(NOTE).orElse(""));
        // A part of a second more than asked for, never a token that is over before its time.
        Optional<Duration> lifetime = lifetime(arguments);
        if (lifetime.isPresent() && lifetime.get().equals(ServiceCommands.NEVER)) {
            body.put("never_expires", true);
        } else {
            lifetime.ifPresent(
                    time -> body.put("expires_in_seconds", time.toSeconds() + (time.toNanosPart() > 0 ? 1 : 0)));
        }
        try {
            return print(service.post("/v1/admin/tokens", body), arguments, stdio);
        } catch (Refusal e) {
            if (e.code().equals("invalid_request")) {
                throw new UsageError(e.detail());
            }
            throw e;
        }
    }

    private static Optional<Duration> lifetime(Arguments arguments) throws UsageError {
        try {
            Optional<Duration> time = arguments
                    .value(EXPIRES)
                    .map(text -> text.equals("never") ? ServiceCommands.NEVER : DurationFormat.parse(text));
            if (time.isPresent() && !time.get().isPositive()) {
                throw new UsageError("--expires: a token that is over at once is no token; give a time such as 30d");
            }
            return time;
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }

    private static int print(JsonNode made, Arguments arguments, Stdio stdio) throws IOException {
        if (!arguments.has(Option.JSON)) {
            String expires = made.path("expires_at").asString("");
            stdio.message(expires.isEmpty() ? "the token never expires" : "the token expires on " + expires);
        }
        stdio.print((arguments.has(Option.JSON)
                        ? made.toString()
                        : made.path("token").asString("")) + "\n");
        return 0;
    }
}
