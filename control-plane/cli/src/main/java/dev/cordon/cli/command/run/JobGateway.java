package dev.cordon.cli.command.run;

import dev.cordon.DryRun;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.policy.Decision;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.io.IOException;

/** Jobs in sandboxes of their own: of this process, or of a service. */
interface JobGateway {
    /** The one that a command line means. */
    static JobGateway of(ParsedArguments arguments, StandardStreams stdio) throws UsageError {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        return service == null ? new LocalJobs(arguments, stdio) : new ServiceJobs(service, arguments);
    }

    /** Starts the job of a command line. One that is invalid or refused has ended. */
    AwaitedJob<Result> start(JobArguments given, OutputListener listener) throws CommandFailure, IOException;

    /** How it would be started. */
    DryRun dryRun(JobArguments given) throws CommandFailure;

    /** What the policy says to it. */
    Explanation explain(JobArguments given) throws CommandFailure;

    /**
     * What a policy says to a job.
     *
     * @param decision the decision with its reasons
     * @param json     the same as the API tells it
     */
    record Explanation(Decision decision, String json) {}
}
