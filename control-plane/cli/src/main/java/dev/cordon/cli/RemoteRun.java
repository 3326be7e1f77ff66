package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** {@code cordon run} over a service. */
final class RemoteRun implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        Colour.of(arguments, stdio.errIsTerminal(), stdio);
        refuse(arguments);
        JobArguments given = new JobArguments(arguments, stdio);
        JobBody body = JobBody.of(arguments, given, given.job());
        if (!body.errors().isEmpty()) {
            return RunCommand.report(refused(new Outcome.Invalid(body.errors())), arguments, stdio);
        }
        InputStream input = body.input();
        return execute(service, "/v1/jobs", body.json(), input, arguments, stdio);
    }

    /** Runs what a body describes to its end, and reports it. */
    static int execute(
            ServiceClient service,
            String target,
            JsonNode body,
            @Nullable InputStream input,
            Arguments arguments,
            Stdio stdio)
            throws ServiceLost, Refusal, IOException {
        Relay relay = new Relay(stdio, arguments.has(RunOptions.RAW));
        RemoteJob job = new RemoteJob(service, relay, !arguments.has(Option.JSON));
        try (Interruption interruption = new Interruption()) {
            Result result;
            try {
                result = job.run(target, body, input, interruption);
            } catch (Refusal e) {
                return RunCommand.report(refused(RemoteJob.outcome(e)), arguments, stdio);
            }
            if (arguments.has(RunOptions.STATS)) {
                RunCommand.draw(job.samples(), stdio);
            }
            relay.finish();
            ArtifactFolder artifacts = new ArtifactFolder(arguments, stdio);
            if (arguments.has(RunOptions.ARTIFACT)) {
                job.fetch(result, artifacts);
            }
            return artifacts.code(RunCommand.report(result, arguments, stdio));
        }
    }

    private static Result refused(Outcome outcome) {
        Instant now = Instant.now();
        return Result.notStarted(Cordon.newId(), outcome, List.of(), now, now);
    }

    /** What only this process can do for its caller. */
    static void refuse(Arguments arguments) throws UsageError {
        for (Option mount : List.of(RunOptions.READ_ONLY, RunOptions.READ_WRITE)) {
            Remote.refuse(arguments, mount, "it shows no files of yours to jobs");
        }
        Remote.refuse(arguments, RunOptions.DRY_RUN, "the plan is a matter of its host");
        Remote.refuse(arguments, RunOptions.OWNER, "the owner is who asks");
        if (arguments.value(RunOptions.PROFILE).orElse("").indexOf('/') >= 0) {
            throw Remote.refused(RunOptions.PROFILE, "it takes the names of profiles, and no files");
        }
    }
}
