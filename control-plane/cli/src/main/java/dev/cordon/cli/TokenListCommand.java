package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.server.ServiceCommands;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** {@code cordon token ls}: the tokens, without their secrets. */
final class TokenListCommand implements Command, RemoteCommand {

    private static final long HOUR = 3_600;
    private static final long DAY = 24 * HOUR;

    @Override
    public String name() {
        return "ls";
    }

    @Override
    public List<String> description() {
        return List.of(
                "List the tokens of the service, the oldest first, with when they expire and what is left of that.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.JSON, Option.STATE, Option.CONFIG, Option.LOCAL);
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
            String list = ServiceCommands.listTokens(
                    arguments.value(Option.CONFIG).orElse(null),
                    arguments.value(Option.STATE).orElse(null));
            return print(list, arguments, stdio);
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        return print(service.text("GET", "/v1/admin/tokens", null), arguments, stdio);
    }

    private static int print(String list, Arguments arguments, Stdio stdio) throws IOException {
        if (arguments.has(Option.JSON)) {
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
                            expires(token),
                            token.path("note").asString(""));
            text.append(TerminalText.visible(line.stripTrailing())).append('\n');
        }
        stdio.print(text.toString());
        return 0;
    }

    private static String expires(JsonNode token) {
        String at = token.path("expires_at").asString("");
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
}
