package dev.cordon.cli.parse;

import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One command of {@code cordon}, as a row of a table. Both parsers, the help and the manual are made from it.
 *
 * @param name        as typed
 * @param operands    what they are called in the help; empty when there are none
 * @param action      what is done
 * @param options     in the order of the help
 * @param description one sentence for the list of commands, then the rest of its help
 * @param footer      lines below the options: examples, exit codes
 * @param refused     options that people may expect here, and what they are told about each
 */
public record CommandSpec(
        String name,
        String operands,
        Action action,
        List<CommandOption> options,
        String description,
        String footer,
        Map<String, String> refused) {

    /** What a command does. */
    @FunctionalInterface
    public interface Action {
        /**
         * Does it.
         *
         * @return the exit code of the process
         * @throws CommandFailure when it cannot be done
         * @throws IOException    when standard output is gone
         */
        int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException;
    }

    /** Whether its operands are a command with options of its own, which begin after the first. */
    public boolean passesOn() {
        return operands.contains("ARGUMENT");
    }

    public CommandSpec(String name, String operands, Action action, List<CommandOption> options, String description) {
        this(name, operands, action, options, description, "", Map.of());
    }

    public CommandSpec(
            String name,
            String operands,
            Action action,
            List<CommandOption> options,
            String description,
            String footer) {
        this(name, operands, action, options, description, footer, Map.of());
    }
}
