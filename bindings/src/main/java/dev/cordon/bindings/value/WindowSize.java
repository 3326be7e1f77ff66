package dev.cordon.bindings.value;

/**
 * The size of a terminal.
 *
 * @param rows its lines
 * @param columns its characters per line
 */
public record WindowSize(int rows, int columns) {
    /** No terminal. */
    public static final WindowSize NONE = new WindowSize(0, 0);

    /** Checks that both fit in 16 bits. */
    public WindowSize {
        if (rows < 0 || rows > 0xffff || columns < 0 || columns > 0xffff) {
            throw new IllegalArgumentException("a terminal of " + rows + " by " + columns + " is outside 0 to 65535");
        }
    }
}
