package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.api.FieldError;
import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.api.Trust;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.json.JsonMistake;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** {@code cordon tool run} over a service. */
final class RemoteToolRun implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        Remote.refuse(arguments, RunOptions.OWNER, "the owner is who asks");
        String name = ToolRunCommand.tool(arguments);
        Map<String, String> labels = ToolRunCommand.labels(arguments);
        Map<String, String> typed = ToolRunCommand.typed(arguments);
        Trust trust = ToolRunCommand.trust(arguments);
        ObjectNode body = ServiceClient.MAPPER.createObjectNode();
        if (arguments.has(ToolRunCommand.PARAMETERS)) {
            String json = ToolRunCommand.text(
                    arguments.value(ToolRunCommand.PARAMETERS).orElse(""), stdio);
            try {
                body.set("parameters", ServiceClient.MAPPER.readTree(json));
            } catch (JacksonException e) {
                throw new UsageError("--parameters is no JSON: " + JsonMistake.of(e));
            }
        } else {
            ObjectNode texts = body.putObject("typed");
            typed.forEach(texts::put);
        }
        ObjectNode notes = body.putObject("labels");
        labels.forEach(notes::put);
        body.put("trust", trust.label());
        try {
            return RemoteRun.execute(service, "/v1/tools/" + ServiceClient.quoted(name), body, null, arguments, stdio);
        } catch (Refusal e) {
            if (!e.code().equals("tool_not_found")) {
                throw e;
            }
            return RunCommand.report(unknown(name, service), arguments, stdio);
        }
    }

    /** In the words of this process, which knows no tool of that name either. */
    private static Result unknown(String name, ServiceClient service) throws ServiceLost, Refusal {
        List<String> names = new ArrayList<>();
        service.get("/v1/tools")
                .path("data")
                .forEach(tool -> names.add(tool.path("name").asString("")));
        Instant now = Instant.now();
        FieldError error = new FieldError(
                "/tool",
                name,
                "is no tool here",
                names.isEmpty() ? "none is registered" : "one of: " + String.join(", ", names));
        return Result.notStarted(Cordon.newId(), new Outcome.Invalid(List.of(error)), List.of(), now, now);
    }
}
