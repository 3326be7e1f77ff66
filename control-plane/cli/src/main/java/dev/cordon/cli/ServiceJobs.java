package dev.cordon.cli;

import dev.cordon.Planned;
import dev.cordon.api.Outcome;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Result;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.terminal.CommandFailure;
import java.io.IOException;
import java.util.List;

/** Jobs of a service. */
record ServiceJobs(ServiceClient service, Arguments arguments) implements JobGateway {
    @Override
    public Running<Result> start(JobArguments given, OutputListener listener) throws CommandFailure, IOException {
        refuse(arguments);
        JobBody body = JobBody.of(arguments, given, given.job());
        if (!body.errors().isEmpty()) {
            return new Running.Ended(new Outcome.Invalid(body.errors()));
        }
        try {
            return ServiceJob.submit(
                    service, "/v1/jobs", body.json(), body.input(), listener, arguments.has(RunOptions.ARTIFACT));
        } catch (Refusal e) {
            return new Running.Ended(RefusedJob.of(e));
        }
    }

    @Override
    public Planned plan(JobArguments given) throws UsageError {
        refuse(arguments);
        throw ServiceOpening.refused(RunOptions.DRY_RUN, "the plan is a matter of its host");
    }

    @Override
    public Explanation explain(JobArguments given) throws CommandFailure {
        ServiceOpening.refuse(arguments, PolicyCommands.POLICY, "it has a policy of its own");
        refuse(arguments);
        JobBody body = JobBody.of(arguments, given, given.job());
        if (!body.errors().isEmpty()) {
            throw Epilogue.failure(new Outcome.Invalid(body.errors()));
        }
        try {
            String text = service.text("POST", "/v1/policy/explain", body.json());
            return new Explanation(DecisionReader.read(ServiceClient.MAPPER.readTree(text)), text);
        } catch (Refusal e) {
            if (RefusedJob.of(e) instanceof Outcome.Invalid wrong) {
                throw Epilogue.failure(wrong);
            }
            throw e;
        }
    }

    /** What only this process can do for its caller. */
    static void refuse(Arguments arguments) throws UsageError {
        for (Option mount : List.of(RunOptions.READ_ONLY, RunOptions.READ_WRITE)) {
            ServiceOpening.refuse(arguments, mount, "it shows no files of yours to jobs");
        }
        ServiceOpening.refuse(arguments, RunOptions.DRY_RUN, "the plan is a matter of its host");
        ServiceOpening.refuse(arguments, RunOptions.OWNER, "the owner is who asks");
        if (arguments.value(RunOptions.PROFILE).orElse("").indexOf('/') >= 0) {
            throw ServiceOpening.refused(RunOptions.PROFILE, "it takes the names of profiles, and no files");
        }
    }
}
