package dev.cordon.interpreter;

import java.util.List;

/**
 * An exception that ended a run, as the interpreter tells it. All of it comes from the code and may say anything.
 *
 * @param type    the exception's type, such as {@code ZeroDivisionError}
 * @param message what it says; may be empty
 * @param text    the whole, in lines, as the language shows it
 * @param frames  where it happened, the innermost last; those of Cordon's driver are left out
 */
public record Traceback(String type, String message, String text, List<Frame> frames) {
    /**
     * One place of the code.
     *
     * @param file     a file, or {@code <run-3>} for the code of a run
     * @param line     its line; 0 when it is not known
     * @param function the function
     * @param source   the line's text; empty when it is not known
     */
    public record Frame(String file, long line, String function, String source) {}

    /** Copies the frames. */
    public Traceback {
        frames = List.copyOf(frames);
    }

    /** The text's lines. */
    public List<String> lines() {
        return text.lines().toList();
    }
}
