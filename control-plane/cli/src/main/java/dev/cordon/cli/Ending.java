package dev.cordon.cli;

import dev.cordon.api.Result;
import dev.cordon.json.ResultJson;
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
record Ending(int code, List<String> messages, Supplier<String> json) {
    static Ending of(Result result) {
        return new Ending(result.outcome().exitCode(), Epilogue.of(result), () -> ResultJson.text(result));
    }

    /** Tells it, and returns the exit code. */
    int report(boolean asJson, Stdio stdio) throws IOException {
        if (asJson) {
            stdio.printJson(json.get());
        } else {
            stdio.messages(messages);
        }
        return code;
    }
}
