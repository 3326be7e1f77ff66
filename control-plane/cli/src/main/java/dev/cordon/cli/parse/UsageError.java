package dev.cordon.cli.parse;

import dev.cordon.cli.terminal.CommandFailure;

/** The command line makes no sense: the user is told how it should look. A wrong value in a job is not a usage error. */
public final class UsageError extends CommandFailure {

    private static final long serialVersionUID = 1L;
    private static final int USAGE = 2;

    public UsageError(String message) {
        super(USAGE, message);
    }
}
