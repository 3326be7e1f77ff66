package dev.cordon.cli;

import dev.cordon.Planned;
import dev.cordon.api.OutputListener;
import dev.cordon.api.Result;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.policy.Decision;
import java.io.IOException;

/** Jobs in sandboxes of their own: of this process, or of a service. */
interface JobGateway {
    /** The one that a command line means. */
    static JobGateway of(Arguments arguments, Stdio stdio) throws UsageError {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        return service == null ? new LocalJobs(arguments, stdio) : new ServiceJobs(service, arguments);
    }

    /** Starts the job of a command line. One that is invalid or refused has ended. */
    Running<Result> start(JobArguments given, OutputListener listener) throws CommandFailure, IOException;

    /** How it would be started. */
    Planned plan(JobArguments given) throws CommandFailure;

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
