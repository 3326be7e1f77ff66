package dev.cordon.cli.terminal;

import java.util.List;

/** A command cannot be done: what its user is told, and the exit code. */
public class CommandFailure extends Exception {
    /** What was named is not there, or is not as it should be. */
    public static final int NOT_FOUND = 1;

    /** Cordon or its service failed. */
    public static final int FAILED = 125;

    private static final long serialVersionUID = 1L;

    private final int code;

    @SuppressWarnings("serial") // a list of the JDK
    private final List<String> lines;

    /** With one message or more, which must not be empty. */
    public CommandFailure(int code, List<String> lines) {
        super(lines.getFirst());
        this.code = code;
        this.lines = List.copyOf(lines);
    }

    /** With the same. */
    public CommandFailure(int code, String... lines) {
        this(code, List.of(lines));
    }

    /** How the process ends. */
    public int code() {
        return code;
    }

    /** The messages. */
    public List<String> lines() {
        return lines;
    }
}
