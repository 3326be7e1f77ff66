package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.client.HttpExchange;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.command.run.JobArguments;
import dev.cordon.cli.command.run.RefusedJob;
import dev.cordon.cli.command.run.ServiceJob;
import dev.cordon.cli.command.run.ServiceJobs;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandEnding;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalJob;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Terminal;
import dev.cordon.json.JobRequest;
import dev.cordon.json.SandboxRequest;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The sandboxes of a service that this caller sees. */
record ServiceSandboxes(ServiceClient service, ParsedArguments arguments, StandardStreams stdio)
        implements SandboxGateway {
    /** How long a sandbox stays whose shell is over and whose owner was killed before he could end it. */
    private static final Duration LEFT = Duration.ofSeconds(60);

    private static final String BYTES = "application/octet-stream";

    private static String target(String id) {
        return "/v1/sandboxes/" + ServiceClient.quoted(id);
    }

    /** All of them as the API tells them. */
    static JsonNode all(ServiceClient service) throws ServiceLost, ServiceRefusal {
        return service.list("/v1/sandboxes", Integer.MAX_VALUE).path("data");
    }

    /** What one takes now; null when it ended meanwhile. */
    static @Nullable JsonNode metrics(ServiceClient service, JsonNode box) throws ServiceLost {
        try {
            return service.get(target(box.path("id").asString("")) + "/metrics");
        } catch (ServiceRefusal ended) {
            return null;
        }
    }

    @Override
    public List<String> ids() throws ServiceLost, ServiceRefusal {
        return all(service)
                .valueStream()
                .map(box -> box.path("id").asString(""))
                .toList();
    }

    @Override
    public List<List<String>> list() throws ServiceLost, ServiceRefusal {
        List<List<String>> boxes = new ArrayList<>();
        for (JsonNode box : all(service)) {
            JsonNode metrics = metrics(service, box);
            if (metrics != null) {
                boxes.add(List.of(
                        box.path("id").asString(""),
                        box.path("state").asString(""),
                        box.path("isolation").asString(""),
                        box.path("running_jobs").asString(""),
                        box.path("created_at").asString(""),
                        metrics.path("memory_bytes").asString(""),
                        metrics.path("pids").asString(""),
                        "")); // no process of this user holds it
            }
        }
        return boxes;
    }

    @Override
    public boolean end(String id) throws ServiceLost, ServiceRefusal {
        try {
            var _ = service.text("DELETE", target(id), null);
        } catch (ServiceRefusal e) {
            if (!e.is("sandbox_expired")) { // it ended by itself meanwhile
                throw e;
            }
        }
        return true;
    }

    @Override
    public String cancelJob(String job) throws ServiceLost, ServiceRefusal {
        return service.text("DELETE", "/v1/jobs/" + ServiceClient.quoted(job), null);
    }

    @Override
    public TerminalJob shell(JobArguments given, List<String> command, Terminal size) throws CommandFailure {
        ServiceJobs.refuse(arguments);
        SandboxSpec wanted = given.sandbox(SandboxSpec.create());
        if (!given.errors().isEmpty()) {
            throw EndMessages.failure(new Outcome.Invalid(given.errors()));
        }
        try {
            JobSpec spec = wanted.validate(Map.of());
            ObjectNode body = shell(command, spec, service.get("/v1/info").path("ceilings"));
            ObjectNode sandbox = ServiceClient.MAPPER.createObjectNode();
            SandboxRequest.write(sandbox, spec, LEFT);
            JsonNode opened = service.post("/v1/sandboxes", sandbox);
            String id = opened.path("id").asString("");
            stdio.message("sandbox " + id);
            try {
                return ServiceTerminal.start(service, target(id), body, size, true);
            } catch (ServiceLost | ServiceRefusal e) {
                ServiceTerminal.end(service, target(id));
                throw e;
            }
        } catch (InvalidJob e) {
            throw EndMessages.failure(new Outcome.Invalid(e.errors()));
        } catch (ServiceRefusal e) {
            throw EndMessages.failure(RefusedJob.of(e));
        }
    }

    private ObjectNode shell(List<String> command, JobSpec spec, JsonNode ceilings) {
        Job job = ShellCommand.job(
                command, arguments, stdio, limit -> ceilings.path(limit.key()).asString(limit.show(limit.most())));
        ObjectNode body = ServiceClient.MAPPER.createObjectNode();
        String workdir = spec.io().workdir(); // empty: the image's, or the workspace
        JobRequest.write(body, (workdir.isEmpty() ? job : job.workdir(workdir)).validate());
        return body;
    }

    private static ObjectNode argv(List<String> command) {
        ObjectNode body = ServiceClient.MAPPER.createObjectNode();
        var words = body.putArray("argv");
        command.forEach(words::add);
        return body;
    }

    @Override
    public TerminalJob exec(String id, List<String> command, Terminal size) throws ServiceLost, ServiceRefusal {
        return ServiceTerminal.start(service, target(id), argv(command), size, false);
    }

    @Override
    public AwaitedJob<CommandEnding> exec(
            String id, List<String> command, @Nullable InputStream input, OutputListener listener)
            throws ServiceLost, ServiceRefusal {
        ObjectNode body = argv(command).put("stdin_open", input != null);
        return ServiceJob.submit(service, target(id) + "/jobs", body, input, listener, false)
                .map(CommandEnding::of);
    }

    /** Each part is quoted by itself. What is below the workspace needs no beginning. */
    private static String target(String id, String path) {
        return target(id) + "/files/" + ServiceClient.quotedPath(path.replaceFirst("^/workspace/", ""));
    }

    @Override
    public void put(String id, String path, int mode, InputStream content) throws CommandFailure {
        try {
            service.put(target(id, path) + "?mode=" + Integer.toOctalString(mode), content);
        } catch (ServiceRefusal e) {
            throw new CommandFailure(CommandFailure.FAILED, e.detail());
        }
    }

    @Override
    public Content open(String id, String path) throws CommandFailure, IOException {
        HttpExchange exchange;
        try {
            exchange = service.open("GET", target(id, path), null, BYTES);
        } catch (ServiceRefusal e) {
            throw new CommandFailure(CommandFailure.FAILED, e.detail());
        }
        if (!exchange.header("Content-Type").startsWith(BYTES)) {
            exchange.close();
            throw new IOException("it is a directory; see cordon cp --help");
        }
        return new Fetched(exchange);
    }

    private record Fetched(HttpExchange exchange) implements Content {
        @Override
        public long size() {
            return 0;
        }

        @Override
        public void copyTo(OutputStream out) throws ServiceLost, IOException {
            exchange.copyTo(out);
        }

        @Override
        public void close() {
            exchange.close();
        }
    }
}
