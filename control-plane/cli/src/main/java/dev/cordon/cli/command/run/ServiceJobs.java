package dev.cordon.cli.command.run;

import dev.cordon.DryRun;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceOpening;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.json.DecisionJson;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.io.IOException;
import java.util.List;

/** Jobs of a service. */
public record ServiceJobs(ServiceClient service, ParsedArguments arguments) implements JobGateway {
    @Override
    public AwaitedJob<Result> start(JobArguments given, OutputListener listener) throws CommandFailure, IOException {
        refuse(arguments);
        JobBody body = new JobBody(given, given.job());
        if (!body.errors().isEmpty()) {
            return new AwaitedJob.Ended(new Outcome.Invalid(body.errors()));
        }
        try {
            return ServiceJob.submit(
                    service, "/v1/jobs", body.json(), body.input(), listener, arguments.has(RunOptions.ARTIFACT));
        } catch (ServiceRefusal e) {
            return new AwaitedJob.Ended(RefusedJob.of(e));
        }
    }

    @Override
    public DryRun dryRun(JobArguments given) throws UsageError {
        refuse(arguments);
        throw ServiceOpening.refused(RunOptions.DRY_RUN, "the plan is a matter of its host");
    }

    @Override
    public Explanation explain(JobArguments given) throws CommandFailure {
        ServiceOpening.refuse(arguments, PolicyCommands.POLICY, "it has a policy of its own");
        refuse(arguments);
        JobBody body = new JobBody(given, given.job());
        if (!body.errors().isEmpty()) {
            throw EndMessages.failure(new Outcome.Invalid(body.errors()));
        }
        try {
            String text = service.text("POST", "/v1/policy/explain", body.json());
            return new Explanation(DecisionJson.read(ServiceClient.MAPPER.readTree(text)), text);
        } catch (ServiceRefusal e) {
            if (RefusedJob.of(e) instanceof Outcome.Invalid wrong) {
                throw EndMessages.failure(wrong);
            }
            throw e;
        }
    }

    /** What only this process can do for its caller. */
    public static void refuse(ParsedArguments arguments) throws UsageError {
        for (CommandOption mount : List.of(RunOptions.READ_ONLY, RunOptions.READ_WRITE, DockerOptions.VOLUME)) {
            ServiceOpening.refuse(arguments, mount, "it shows no files of yours to jobs");
        }
        ServiceOpening.refuse(arguments, RunOptions.DRY_RUN, "the plan is a matter of its host");
        ServiceOpening.refuse(arguments, RunOptions.OWNER, "the owner is who asks");
        if (arguments.value(RunOptions.PROFILE).orElse("").indexOf('/') >= 0) {
            throw ServiceOpening.refused(RunOptions.PROFILE, "it takes the names of profiles, and no files");
        }
        for (String choice : arguments.values(DockerOptions.SECURITY)) {
            if (!choice.startsWith("no-new-privileges")) {
                throw ServiceOpening.refused(DockerOptions.SECURITY, "profiles of a file and labels are its host's");
            }
        }
    }
}
