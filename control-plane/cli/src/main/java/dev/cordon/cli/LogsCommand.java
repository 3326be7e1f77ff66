package dev.cordon.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** {@code cordon logs}: the output of a job that a service runs or remembers. */
final class LogsCommand implements Command {
    static final Option FOLLOW =
            Option.flag("-f", "Go on with what comes, until the job is over.").or("--follow");

    static final Option JSON =
            Option.flag("--json", "Print its events instead, one JSON object a line, as the API does.");

    @Override
    public String name() {
        return "logs";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Print the output of a job of a service.",
                "",
                "Of one that runs, what there is now; its standard error goes to standard error. Jobs of cordon run",
                "without a service print while they run, and nothing of them is kept.");
    }

    @Override
    public List<Option> options() {
        return List.of(FOLLOW, RunOptions.RAW, JSON);
    }

    @Override
    public String operands() {
        return "JOB";
    }

    @Override
    public List<String> footer() {
        return List.of(
                "",
                "Which service: CORDON_HOST=unix:/path, http://127.0.0.1:PORT or https://HOST:PORT, with",
                "CORDON_TOKEN or CORDON_TOKEN_FILE, and CORDON_CA_FILE where its authority is your own; without it,"
                        + " the socket in the usual place.",
                "",
                "Example: cordon logs -f job_01J...");
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteLogs());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        throw noService("keeps what jobs print");
    }

    /** What cannot be done in this process. */
    static UsageError noService(String does) {
        return new UsageError("no service is there, and only a service " + does
                + "; start one with cordon serve, or name it with CORDON_HOST");
    }
}
