package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.json.JsonMembers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code cordon kill}: ends sandboxes, and jobs of a service. */
public final class KillCommand {
    private KillCommand() {}

    public static CommandSpec spec() {
        List<CommandOption> options = List.of(CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.JSON);
        return new CommandSpec("kill", "BOX|JOB...", KillCommand::run, options, """
            End open sandboxes of yours.

            Everything in them ends, their files with it. BOX is an id or a part of it.
            Through a service it can be a job, too, by its whole id (job_...), which cordon ps --jobs lists.\
            """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        if (arguments.operands().isEmpty()) {
            throw new UsageError("a sandbox is needed; cordon ps lists them");
        }
        SandboxGateway sandboxes = SandboxGateway.of(arguments, stdio);
        int code = 0;
        List<String> told = new ArrayList<>();
        for (String part : arguments.operands()) {
            String job = part.startsWith("job_") ? sandboxes.cancelJob(part) : null;
            if (job != null) {
                told.add(job);
                continue;
            }
            String id = sandboxes.named(part);
            boolean ended = sandboxes.end(id);
            told.add(json(id, ended ? "ended" : "open"));
            if (!ended) {
                stdio.message("sandbox " + id + " does not answer; its process can be ended, see cordon ps --json");
                code = CommandFailure.FAILED;
            }
        }
        if (arguments.has(CommandOption.JSON)) {
            stdio.printJson(JsonMembers.text(
                    json -> json.array("data", told, json.json()::writeRawValue).put("next_cursor", (String) null)));
        }
        return code;
    }

    /** What is told of a sandbox that was to end. */
    private static String json(String id, String state) {
        return JsonMembers.text(
                json -> json.put("id", id).put("object", "sandbox").put("state", state));
    }
}
