package dev.cordon.cli.terminal;

import dev.cordon.json.ResultJson;
import dev.cordon.result.Result;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * How a command in a sandbox ended, as far as its caller is told.
 *
 * @param code     the exit code
 * @param messages for people
 * @param json     for programs
 */
public record CommandEnding(int code, List<String> messages, Supplier<String> json) {
    public static CommandEnding of(Result result) {
        return new CommandEnding(result.outcome().exitCode(), EndMessages.of(result), () -> ResultJson.text(result));
    }

    /** Tells it, and returns the exit code. */
    public int report(boolean asJson, StandardStreams stdio) throws IOException {
        if (asJson) {
            stdio.printJson(json.get());
        } else {
            stdio.messages(messages);
        }
        return code;
    }
}
