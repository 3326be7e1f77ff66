package dev.cordon.job;

/**
 * A terminal for a command. It is the sandbox's own: nothing that is typed into it reaches one of the host's.
 *
 * @param rows    its lines
 * @param columns its characters per line
 */
public record Terminal(int rows, int columns) {
    private static final int MOST = 0xffff;

    /** Checks that both are within 1 to 65535. */
    public Terminal {
        if (rows < 1 || rows > MOST || columns < 1 || columns > MOST) {
            throw new IllegalArgumentException("a terminal of " + rows + " by " + columns
                    + " is not within 1 to 65535; the usual one is 24 by 80");
        }
    }
}
