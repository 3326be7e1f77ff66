package dev.cordon.cli;

import dev.cordon.config.InvalidConfig;
import dev.cordon.config.policy.InvalidPolicy;
import dev.cordon.files.IoErrno;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The entry point of {@code cordon}. A command returns its own exit code; a line that makes no sense ends with 2; whatever
 * else goes wrong is Cordon's own failure and ends with 125.
 */
public final class Main {

    private static final int USAGE = 2;
    private static final int OWN_FAILURE = 125;
    private static final int BROKEN_PIPE = 128 + 13;

    private final Stdio stdio;

    Main(Stdio stdio) {
        this.stdio = stdio;
    }

    /**
     * Runs one command and ends the JVM with its exit code.
     *
     * @param words as typed
     */
    public static void main(String[] words) {
        Main main = new Main(Stdio.ofProcess());
        int code;
        try {
            code = main.run(Words.exact(words));
        } catch (UsageError unreadable) {
            code = main.usageError(unreadable);
        }
        System.exit(code);
    }

    /** Runs one command. */
    int run(String... words) {
        try {
            return dispatch(words);
        } catch (HelpAsked help) {
            return printed(help.text());
        } catch (UsageError wrong) {
            return usageError(wrong);
        } catch (IOException gone) {
            return outputGone(gone);
        } catch (InvalidConfig wrong) {
            wrong.errors().forEach(error -> stdio.message("configuration: " + error));
            return OWN_FAILURE;
        } catch (InvalidPolicy wrong) {
            wrong.errors().forEach(error -> stdio.message("policy: " + error));
            return OWN_FAILURE;
        } catch (RuntimeException | LinkageError ours) {
            stdio.message("internal error: " + ours);
            if (stdio.environment().containsKey("CORDON_DEBUG")) {
                ours.printStackTrace(new PrintStream(stdio.err(), true, StandardCharsets.UTF_8));
            } else {
                stdio.message("set CORDON_DEBUG=1 to see where it happened");
            }
            return OWN_FAILURE;
        }
    }

    private int usageError(UsageError wrong) {
        stdio.message(String.valueOf(wrong.getMessage()));
        return USAGE;
    }

    private int dispatch(String... words) throws UsageError, HelpAsked, IOException {
        Optional<CommandGroup> group = words.length == 0 ? Optional.empty() : Commands.group(words[0]);
        int named = group.isPresent() ? 1 : 0;
        Optional<Command> command = words.length <= named
                ? Optional.empty()
                : group.isPresent() ? group.get().named(words[named]) : Commands.named(words[named]);
        if (command.isEmpty()) {
            throw new FullParser().reject(words);
        }
        Optional<Arguments> quick = new QuickParser(command.get()).parse(words, named + 1);
        Arguments arguments = quick.isPresent() ? quick.get() : new FullParser().parse(command.get(), words);
        Optional<String> host = ServiceChoice.of(arguments, stdio.environment());
        Optional<RemoteCommand> remote =
                host.isEmpty() ? Optional.empty() : command.get().remote();
        return remote.isPresent()
                ? Remote.run(host.get(), remote.get(), arguments, stdio)
                : command.get().run(arguments, stdio);
    }

    private int printed(String text) {
        try {
            stdio.print(text);
            return 0;
        } catch (IOException gone) {
            return outputGone(gone);
        }
    }

    /** A reader that has seen enough is no error, and nothing is said about it; a full disk is one. */
    private int outputGone(IOException gone) {
        if (IoErrno.of(gone).equals("EPIPE")) {
            return BROKEN_PIPE;
        }
        stdio.message("standard output cannot be written: " + gone.getMessage());
        return OWN_FAILURE;
    }
}
