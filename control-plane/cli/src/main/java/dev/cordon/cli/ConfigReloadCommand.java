package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** {@code cordon config reload}: a service reads the operator's files again. */
final class ConfigReloadCommand implements Command, RemoteCommand {

    @Override
    public String name() {
        return "reload";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Have the service read its policy and tools again, and tell which settings need a restart.",
                "",
                "What cannot stand is refused as a whole, and the old one goes on to hold. Jobs are not",
                "touched. systemctl reload cordon does the same.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.JSON);
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
    public int run(Arguments arguments, Stdio stdio) throws UsageError {
        throw new UsageError("there is no service to reload; start one (cordon serve), or name it with CORDON_HOST");
    }

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        JsonNode answer = service.post("/v1/admin/reload", ServiceClient.MAPPER.createObjectNode());
        if (arguments.has(Option.JSON)) {
            stdio.print(answer + "\n");
            return 0;
        }
        stdio.print("policy read again; " + answer.path("tools").asInt() + " tools read again\n");
        for (JsonNode key : answer.path("restart_needed")) {
            stdio.message(TerminalText.visible(key.asString("")) + " has changed, and holds after a restart");
        }
        return 0;
    }
}
