package dev.cordon.cli;

/** The command line makes no sense: the user is told how it should look. A wrong value in a job is no usage error. */
final class UsageError extends Exception {

    private static final long serialVersionUID = 1L;

    UsageError(String message) {
        super(message);
    }
}
