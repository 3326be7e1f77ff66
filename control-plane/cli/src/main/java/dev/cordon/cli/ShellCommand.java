package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.SandboxRefused;
import dev.cordon.api.Job;
import dev.cordon.api.Limit;
import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.api.SandboxSpec;
import dev.cordon.api.Stdin;
import dev.cordon.api.Terminal;
import dev.cordon.config.Config;
import dev.cordon.host.HostTerminal;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code cordon shell}: an interactive shell in a sandbox of its own, which other commands can reach meanwhile. */
final class ShellCommand implements Command {
    static final List<String> SHELL =
            List.of("/bin/sh", "-c", "if command -v bash >/dev/null; then exec bash -i; else exec sh -i; fi");

    @Override
    public String name() {
        return "shell";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Open a sandbox and sit down in it.",
                "",
                "A shell, or the command given, with a terminal of its own inside. The sandbox ends with it.",
                "Meanwhile exec, cp, ps and kill of the same user reach it by its id, shown at the start.");
    }

    @Override
    public List<Option> options() {
        return List.of(
                RunOptions.ISOLATION,
                RunOptions.IMAGE,
                TIMEOUT,
                RunOptions.MEMORY,
                RunOptions.CPUS,
                RunOptions.PIDS,
                RunOptions.DISK,
                RunOptions.READ_ONLY,
                RunOptions.READ_WRITE,
                RunOptions.ENV,
                RunOptions.WORKDIR,
                RunOptions.PROFILE,
                RunOptions.ON_VIOLATION,
                RunOptions.STRICT,
                Option.CONFIG,
                Option.LOCAL);
    }

    static final Option TIMEOUT =
            Option.value("--timeout", "TIME", "End it after this time, such as 2h (the most that is allowed).");

    @Override
    public String operands() {
        return "[COMMAND [ARGUMENT...]]";
    }

    @Override
    public List<String> footer() {
        return List.of(
                "",
                "Exit codes: the shell's own; else as with cordon run.",
                "",
                "What the sandbox writes reaches your terminal as it is, escape sequences included.");
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteShell());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        HostTerminal terminal = terminal(stdio);
        JobArguments given = new JobArguments(arguments, stdio);
        Config config = Opening.config(arguments).recorded();
        SandboxSpec spec = SandboxSpec.create().also(given::sandbox);
        if (!given.errors().isEmpty()) {
            return refused(new Outcome.Invalid(given.errors()), stdio);
        }
        try (terminal;
                Cordon cordon = Cordon.open(config);
                Sandbox sandbox = cordon.openSandbox(spec);
                BoxServer server = BoxServer.open(config, sandbox)) {
            stdio.message("sandbox " + sandbox.id()
                    + (server.problem().isEmpty()
                            ? ""
                            : ", not reachable by cordon exec: " + server.problem()
                                    + "; paths.run names another place"));
            return sit(sandbox.start(job(arguments, stdio, config, terminal.size())), terminal, stdio);
        } catch (SandboxRefused e) {
            return refused(e.outcome(), stdio);
        }
    }

    static HostTerminal terminal(Stdio stdio) throws UsageError {
        return HostTerminal.of(0)
                .filter(ignored -> stdio.inIsTerminal() && stdio.outIsTerminal())
                .orElseThrow(() -> new UsageError("cordon shell needs a terminal; for scripts there is cordon run"));
    }

    private static Job job(Arguments arguments, Stdio stdio, Config config, Terminal size) {
        Job job = Job.argv(arguments.operands().isEmpty() ? SHELL : arguments.operands())
                .terminal(size.rows(), size.columns())
                .stdin(Stdin.fed())
                .streaming()
                .limit(Limit.TIMEOUT, arguments.value(TIMEOUT).orElse(most(config, Limit.TIMEOUT)))
                .limit(Limit.CPU_TIME, most(config, Limit.CPU_TIME));
        String kind = stdio.environment().getOrDefault("TERM", "");
        return kind.matches("[A-Za-z0-9._+-]{1,64}") ? job.env("TERM", kind) : job;
    }

    private static String most(Config config, Limit limit) {
        return limit.show(config.ceilings().getOrDefault(limit, limit.most()));
    }

    private static int sit(RunningJob job, HostTerminal terminal, Stdio stdio) throws IOException {
        try (Interruption interruption = new Interruption();
                job) {
            interruption.cancels(job);
            new TerminalSession(stdio, terminal)
                    .relay(job.stdin(), job.stdout(), size -> job.resize(size.rows(), size.columns()));
            Result result = job.result().join();
            Epilogue.of(result).forEach(stdio::message);
            return result.outcome().exitCode();
        }
    }

    static int refused(Outcome outcome, Stdio stdio) {
        Instant now = Instant.now();
        Epilogue.of(Result.notStarted(Cordon.newId(), outcome, List.of(), now, now))
                .forEach(stdio::message);
        return outcome.exitCode();
    }
}
