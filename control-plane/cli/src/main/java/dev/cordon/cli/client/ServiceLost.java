package dev.cordon.cli.client;

import dev.cordon.cli.terminal.CommandFailure;

/** The service cannot be reached, or broke off. */
public final class ServiceLost extends CommandFailure {
    /** How a command is done without a service. */
    public static final String INSTEAD = "without the service: --local, or CORDON_HOST=none";

    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public ServiceLost(String message) {
        super(FAILED, message + "; see that it runs (cordon serve), or do it " + INSTEAD);
    }

    /** With what the network said. */
    public ServiceLost(String message, Throwable cause) {
        this(message + ": " + cause.getMessage());
        initCause(cause);
    }
}
