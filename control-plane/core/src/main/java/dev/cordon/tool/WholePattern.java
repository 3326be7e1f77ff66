package dev.cordon.tool;

import java.util.regex.Pattern;

/**
 * Regular expressions of a schema, in Java. JSON Schema's are those of ECMA-262, where {@code $} is the end of the text and nothing else; in
 * Java it also stands before a line terminator that ends the text, so that {@code ^[a-z]+$} would accept a trailing newline, which a program
 * may take for the end of one argument and the beginning of another.
 *
 * @param text the expression as it was written
 * @param java what is looked for
 */
record WholePattern(String text, Pattern java) {
    /**
     * The expression with {@code $} and {@code \Z} at the end of the text alone.
     *
     * @throws java.util.regex.PatternSyntaxException when it is none
     */
    static WholePattern compile(String text) {
        Pattern asWritten = Pattern.compile(text);
        String strict = new Translation(text).strict();
        return new WholePattern(text, strict.equals(text) ? asWritten : Pattern.compile(strict));
    }

    /** Whether it is found in the text; not found when that takes too long. */
    boolean isFoundIn(String value) {
        return BoundedText.find(java, value);
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }

    private static final class Translation {
        private final String text;
        private final StringBuilder java = new StringBuilder();
        private int at;

        private Translation(String text) {
            this.text = text;
        }

        private String strict() {
            int classes = 0;
            while (at < text.length()) {
                char next = text.charAt(at);
                if (next == '\\') {
                    escape(classes > 0);
                } else if (next == '[') {
                    classes++;
                    openClass();
                } else if (next == '$' && classes == 0) {
                    java.append("\\z");
                    at++;
                } else {
                    classes -= next == ']' && classes > 0 ? 1 : 0;
                    java.append(next);
                    at++;
                }
            }
            return java.toString();
        }

        /** Between \Q and \E nothing has a meaning. */
        private void escape(boolean inClass) {
            int length = Math.min(2, text.length() - at);
            if (text.startsWith("\\Q", at)) {
                int end = text.indexOf("\\E", at);
                length = end < 0 ? text.length() - at : end + 2 - at;
            }
            if (!inClass && text.startsWith("\\Z", at)) {
                java.append("\\z");
            } else {
                java.append(text, at, at + length);
            }
            at += length;
        }

        /** A bracket that closes nothing, because it comes first, is a character of the class. */
        private void openClass() {
            java.append('[');
            at++;
            if (text.startsWith("^", at)) {
                java.append('^');
                at++;
            }
            if (text.startsWith("]", at)) {
                java.append(']');
                at++;
            }
        }
    }
}
