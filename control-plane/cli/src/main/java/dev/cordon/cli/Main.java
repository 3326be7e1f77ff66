package dev.cordon.cli;

import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.CommandWords;
import dev.cordon.cli.parse.HelpAsked;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.QuickParser;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.config.InvalidConfig;
import dev.cordon.files.IoErrno;
import dev.cordon.policy.file.InvalidPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The entry point of {@code cordon}. A command returns its own exit code; a line that makes no sense ends with 2; whatever
 * else goes wrong is Cordon's own failure and ends with 125.
 */
public final class Main {

    private static final int BROKEN_PIPE = 128 + 13;

    private final StandardStreams stdio;

    Main(StandardStreams stdio) {
        this.stdio = stdio;
    }

    /**
     * Runs one command and ends the JVM with its exit code.
     *
     * @param words as typed
     */
    public static void main(String[] words) {
        Main main = new Main(StandardStreams.ofProcess());
        int code;
        try {
            code = main.run(CommandWords.exact(words));
        } catch (CommandFailure unreadable) {
            code = main.failed(unreadable);
        }
        System.exit(code);
    }

    /** Runs one command. */
    int run(String... words) {
        try {
            return dispatch(words);
        } catch (CommandFailure failure) {
            return failed(failure);
        } catch (IOException gone) {
            return outputGone(gone);
        } catch (InvalidConfig wrong) {
            wrong.errors().forEach(error -> stdio.message("configuration: " + error));
            return CommandFailure.FAILED;
        } catch (InvalidPolicy wrong) {
            wrong.errors().forEach(error -> stdio.message("policy: " + error));
            return CommandFailure.FAILED;
        } catch (RuntimeException | LinkageError ours) {
            stdio.message("internal error: " + ours);
            if (stdio.environment().containsKey("CORDON_DEBUG")) {
                ours.printStackTrace(new PrintStream(stdio.err(), true, StandardCharsets.UTF_8));
            } else {
                stdio.message("set CORDON_DEBUG=1 to see where it happened");
            }
            return CommandFailure.FAILED;
        }
    }

    private int failed(CommandFailure failure) {
        stdio.messages(failure.lines());
        return failure.code();
    }

    private int dispatch(String... words) throws CommandFailure, IOException {
        try {
            return command(words);
        } catch (HelpAsked help) {
            stdio.print(help.text());
            return 0;
        }
    }

    private int command(String... words) throws CommandFailure, HelpAsked, IOException {
        CommandList.Group group = words.length == 0 ? null : CommandList.group(words[0]);
        int named = group == null ? 0 : 1;
        CommandSpec command = words.length <= named
                ? null
                : group == null ? CommandList.named(words[named]) : group.named(words[named]);
        if (command == null) {
            throw new FullParser().reject(words);
        }
        Optional<ParsedArguments> quick = new QuickParser(command).parse(words, named + 1);
        ParsedArguments arguments = quick.isPresent() ? quick.get() : new FullParser().parse(command, words);
        return command.action().run(arguments, stdio);
    }

    /** A reader that has seen enough is not an error, and nothing is said about it; a full disk is one. */
    private int outputGone(IOException gone) {
        if (IoErrno.of(gone).equals("EPIPE")) {
            return BROKEN_PIPE;
        }
        stdio.message("standard output cannot be written: " + gone.getMessage());
        return CommandFailure.FAILED;
    }
}
