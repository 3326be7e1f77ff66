package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** {@code cordon top}: what runs at a service now. */
final class TopCommand implements Command {

    @Override
    public String name() {
        return "top";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Watch the running jobs and open sandboxes of a service, with their CPU and memory.",
                "",
                "On a terminal the table is drawn anew whenever a job changes, and each second; Ctrl-C ends it.",
                "Elsewhere, and with --json, it is printed once.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.JSON);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteTop());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError {
        throw LogsCommand.noService("runs jobs that others can watch");
    }
}
