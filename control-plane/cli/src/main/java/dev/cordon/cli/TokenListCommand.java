package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.server.ServiceCommands;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** {@code cordon token ls}: the tokens, without their secrets. */
final class TokenListCommand implements Command, RemoteCommand {

    @Override
    public String name() {
        return "ls";
    }

    @Override
    public List<String> description() {
        return List.of("List the tokens of the service, the oldest first.");
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
            String line = "%-14s %-20s %-7s expires %-22s %s"
                    .formatted(
                            token.path("id").asString(""),
                            token.path("owner").asString(""),
                            token.path("role").asString(""),
                            token.path("expires_at").asString("never"),
                            token.path("note").asString(""));
            text.append(TerminalText.visible(line.stripTrailing())).append('\n');
        }
        stdio.print(text.toString());
        return 0;
    }
}
