package dev.cordon.cli;

import dev.cordon.cli.terminal.CommandFailure;

/** The command line makes no sense: the user is told how it should look. A wrong value in a job is no usage error. */
final class UsageError extends CommandFailure {

    private static final long serialVersionUID = 1L;
    private static final int USAGE = 2;

    UsageError(String message) {
        super(USAGE, message);
    }
}
