package dev.cordon.cli.command.tool;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.command.run.RefusedJob;
import dev.cordon.cli.command.run.RunOptions;
import dev.cordon.cli.command.run.ServiceJob;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceOpening;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.job.FieldError;
import dev.cordon.json.JsonMistake;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tools of a service. */
record ServiceTools(ServiceClient service, ParsedArguments arguments) implements ToolGateway {
    @Override
    public List<Listing> list() throws ServiceLost, ServiceRefusal {
        List<Listing> tools = new ArrayList<>();
        for (JsonNode tool : service.get("/v1/tools").path("data")) {
            tools.add(new Listing(
                    tool.path("name").asString(""),
                    tool.path("description").asString(""),
                    new TreeSet<>(tool.path("parameters").path("properties").propertyNames()),
                    tool.toString()));
        }
        return tools;
    }

    @Override
    public AwaitedJob<Result> start(Request request, OutputListener listener) throws CommandFailure {
        ServiceOpening.refuse(arguments, RunOptions.OWNER, "the owner is who asks");
        try {
            String target = "/v1/tools/" + ServiceClient.quoted(request.name());
            return ServiceJob.submit(service, target, body(request), null, listener, false);
        } catch (ServiceRefusal e) {
            return new AwaitedJob.Ended(e.is("tool_not_found") ? unknown(request.name()) : RefusedJob.of(e));
        }
    }

    private static ObjectNode body(Request request) throws UsageError {
        ObjectNode body = ServiceClient.MAPPER.createObjectNode();
        if (request.parameters() == null) {
            ObjectNode texts = body.putObject("typed");
            request.typed().forEach(texts::put);
        } else {
            try {
                body.set("parameters", ServiceClient.MAPPER.readTree(request.parameters()));
            } catch (JacksonException e) {
                throw new UsageError("--parameters is not JSON: " + JsonMistake.of(e));
            }
        }
        ObjectNode notes = body.putObject("labels");
        request.labels().forEach(notes::put);
        return body.put("trust", request.trust().label());
    }

    /** In the words of this process, which knows no tool of that name either. */
    private Outcome unknown(String name) throws ServiceLost, ServiceRefusal {
        List<String> names = list().stream().map(Listing::name).toList();
        return new Outcome.Invalid(List.of(new FieldError(
                "/tool",
                name,
                "is not a tool here",
                names.isEmpty() ? "none is registered" : "one of: " + String.join(", ", names))));
    }
}
