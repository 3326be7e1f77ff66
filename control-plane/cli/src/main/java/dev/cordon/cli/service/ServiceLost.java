package dev.cordon.cli.service;

/** The service cannot be reached, or broke off. */
public final class ServiceLost extends Exception {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public ServiceLost(String message) {
        super(message);
    }

    /** With what the network said. */
    public ServiceLost(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
