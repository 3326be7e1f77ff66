package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.command.run.JobArguments;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandEnding;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalJob;
import dev.cordon.job.Terminal;
import dev.cordon.result.OutputListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sandboxes that are open: held by processes of this user, or by a service. */
interface SandboxGateway {
    /** The one that a command line means. */
    static SandboxGateway of(ParsedArguments arguments, StandardStreams stdio) throws UsageError {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        return service == null
                ? new LocalSandboxes(arguments, stdio, CordonOpening.config(arguments))
                : new ServiceSandboxes(service, arguments, stdio);
    }

    /** Their ids; one of them may have ended. */
    List<String> ids() throws CommandFailure, IOException;

    /** What each tells of itself, in the order of {@link PsCommand#FIELDS}; what is not known is empty. */
    List<List<String>> list() throws CommandFailure, IOException;

    /**
     * The one that somebody means by its id or a part of it.
     *
     * @throws UsageError when there is none, or more than one
     */
    default String named(String part) throws CommandFailure, IOException {
        List<String> matches = ids().stream().filter(id -> id.contains(part)).toList();
        if (matches.size() == 1 && !part.isEmpty()) {
            return matches.getFirst();
        }
        if (matches.isEmpty()) {
            throw new UsageError(
                    "no sandbox " + part + " of this user is open; cordon ps lists them, cordon shell opens one");
        }
        throw new UsageError("'" + part + "' could be " + String.join(" or ", matches) + "; give more of the id");
    }

    /** Opens one and starts a command in it, at a terminal of this size. The sandbox ends with the command. */
    TerminalJob shell(JobArguments given, List<String> command, Terminal size) throws CommandFailure, IOException;

    /** Starts a command at a terminal of this size. */
    TerminalJob exec(String id, List<String> command, Terminal size) throws CommandFailure;

    /** Starts a command that reads this input; null for none. */
    AwaitedJob<CommandEnding> exec(
            String id, List<String> command, @Nullable InputStream input, OutputListener listener)
            throws CommandFailure;

    /** Writes a file. */
    void put(String id, String path, int mode, InputStream content) throws CommandFailure, IOException;

    /** Reads a file. The caller closes it. */
    Content open(String id, String path) throws CommandFailure, IOException;

    /** Whether it has ended now. */
    boolean end(String id) throws CommandFailure;

    /** Cancels a job and returns it as the API tells it; null where jobs have no name. */
    default @Nullable String cancelJob(String job) throws CommandFailure {
        return null;
    }

    /** A file that is being read. */
    interface Content extends AutoCloseable {
        /** Its bytes; 0 when that is not known. */
        long size();

        /** Reads it to its end. */
        void copyTo(OutputStream out) throws CommandFailure, IOException;

        @Override
        void close() throws IOException;
    }
}
