package dev.cordon.cli;

/** Not an error: the user wants to read, and nothing is to be done. */
final class HelpAsked extends Exception {

    private static final long serialVersionUID = 1L;

    /** The text is the message. */
    HelpAsked(String text) {
        super(text, null, false, false);
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
