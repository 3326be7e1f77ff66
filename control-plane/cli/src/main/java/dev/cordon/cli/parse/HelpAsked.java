package dev.cordon.cli.parse;

/** Not an error: the user wants to read, and nothing is to be done. */
public final class HelpAsked extends Exception {

    private static final long serialVersionUID = 1L;

    /** The text is the message. */
    public HelpAsked(String text) {
        super(text, null, false, false);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
