package dev.cordon.cli.command.tool;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.job.Trust;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The operator's tools: of this process, or of a service. */
interface ToolGateway {
    /** The one that a command line means. */
    static ToolGateway of(ParsedArguments arguments, StandardStreams stdio) throws UsageError {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        return service == null ? new LocalTools(arguments, stdio) : new ServiceTools(service, arguments);
    }

    /** All that are registered. */
    List<Listing> list() throws CommandFailure;

    /** Starts one. A call that is invalid or refused has ended. */
    AwaitedJob<Result> start(Request request, OutputListener listener) throws CommandFailure;

    /**
     * A tool in a list.
     *
     * @param name        its name
     * @param description what it does
     * @param parameters  their names
     * @param json        all of it as the API tells it
     */
    record Listing(String name, String description, SortedSet<String> parameters, String json) {}

    /**
     * A call.
     *
     * @param name       of the tool
     * @param parameters as one JSON object; null for those that were typed
     * @param typed      parameters as texts
     * @param labels     notes that are kept with the job
     * @param trust      whose call it is
     */
    record Request(
            String name,
            @Nullable String parameters,
            Map<String, String> typed,
            Map<String, String> labels,
            Trust trust) {}
}
