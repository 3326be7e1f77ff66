package dev.cordon.cli;

import dev.cordon.api.InvalidJob;
import dev.cordon.api.Job;
import dev.cordon.api.JobSpec;
import dev.cordon.api.Limit;
import dev.cordon.api.OnViolation;
import dev.cordon.api.Outcome;
import dev.cordon.api.ProfileRef;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.host.HostTerminal;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code cordon shell} in a sandbox of a service. */
final class RemoteShell implements RemoteCommand {
    /** The limits of the whole sandbox; those of time are the shell's own. */
    private static final Map<Limit, Option> SANDBOX = Map.of(
            Limit.MEMORY, RunOptions.MEMORY,
            Limit.CPUS, RunOptions.CPUS,
            Limit.PIDS, RunOptions.PIDS,
            Limit.DISK, RunOptions.DISK);

    /** How long a sandbox stays whose shell is over and whose owner was killed before he could end it. */
    private static final int LEFT_SECONDS = 60;

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        HostTerminal terminal = ShellCommand.terminal(stdio);
        RemoteRun.refuse(arguments);
        JobArguments given = new JobArguments(arguments, stdio);
        Job wanted = given.sandbox(Job.argv("true"));
        if (!given.errors().isEmpty()) {
            return ShellCommand.refused(new Outcome.Invalid(given.errors()), stdio);
        }
        try (terminal;
                Interruption interruption = new Interruption()) {
            JobSpec spec = wanted.validate();
            JsonNode ceilings = service.get("/v1/info").path("ceilings");
            JsonNode sandbox = service.post("/v1/sandboxes", sandbox(arguments, spec));
            String target = RemoteBoxes.target(sandbox.path("id").asString(""));
            stdio.message("sandbox " + sandbox.path("id").asString(""));
            try {
                return new RemoteTerminal(service, stdio, terminal)
                        .run(target + "/jobs", shell(arguments, stdio, spec, ceilings), interruption);
            } finally {
                close(service, target);
            }
        } catch (InvalidJob e) {
            return ShellCommand.refused(new Outcome.Invalid(e.errors()), stdio);
        } catch (Refusal e) {
            return ShellCommand.refused(RemoteJob.outcome(e), stdio);
        }
    }

    private static void close(ServiceClient service, String target) {
        try {
            var _ = service.text("DELETE", target, null);
        } catch (ServiceLost | Refusal gone) {
            return; // killed meanwhile, or gone with the service
        }
    }

    private static ObjectNode sandbox(Arguments arguments, JobSpec spec) {
        ObjectNode body = ServiceClient.MAPPER.createObjectNode();
        body.put("idle_timeout_seconds", LEFT_SECONDS);
        body.set("limits", JobBody.limits(arguments, SANDBOX));
        ObjectNode variables = body.putObject("env");
        spec.environment().forEach(variables::put);
        if (spec.isolation() != null) {
            body.put("isolation", spec.isolation().label());
        }
        if (arguments.has(RunOptions.PROFILE) && spec.profile() instanceof ProfileRef.Named profile) {
            body.put("profile", profile.name());
        }
        if (spec.onViolation() != OnViolation.REFUSE) {
            body.put("on_violation", spec.onViolation().name().toLowerCase(Locale.ROOT));
        }
        return body.put("strict", spec.strict());
    }

    private static ObjectNode shell(Arguments arguments, Stdio stdio, JobSpec spec, JsonNode ceilings) {
        ObjectNode body = ServiceClient.MAPPER.createObjectNode();
        var words = body.putArray("argv");
        List<String> command = arguments.operands().isEmpty() ? ShellCommand.SHELL : arguments.operands();
        command.forEach(words::add);
        ObjectNode limits = body.putObject("limits");
        long most = most(ceilings, Limit.TIMEOUT);
        JobBody.put(
                limits,
                Limit.TIMEOUT,
                arguments.value(ShellCommand.TIMEOUT).map(Limit.TIMEOUT::parse).orElse(most));
        JobBody.put(limits, Limit.CPU_TIME, most(ceilings, Limit.CPU_TIME));
        if (arguments.has(RunOptions.WORKDIR)) {
            body.put("cwd", spec.workdir());
        }
        String kind = stdio.environment().getOrDefault("TERM", "");
        if (kind.matches("[A-Za-z0-9._+-]{1,64}")) {
            body.putObject("env").put("TERM", kind);
        }
        return body;
    }

    private static long most(JsonNode ceilings, Limit limit) {
        JsonNode told = ceilings.path(limit.key());
        return told.isString() ? limit.parse(told.asString()) : limit.most();
    }
}
