package dev.cordon.api;

/**
 * One field of a job that cannot stand.
 *
 * @param field  where, as a JSON pointer into the job: {@code /limits/memory}, {@code /mounts/0/source}
 * @param value  what was given, shortened and printable
 * @param limit  the rule that it breaks
 * @param remedy what to write instead
 */
public record FieldError(String field, String value, String limit, String remedy) {
    private static final int MAX_SHOWN = 120;

    /** Makes the value safe to print: control characters are replaced, long values cut. */
    public FieldError {
        value = printable(value);
    }

    /** One line for people. */
    public String message() {
        return (field.isEmpty() ? "" : field + ": ") + "'" + value + "' " + limit + "; " + remedy;
    }

    /** A name as a part of a JSON pointer (RFC 6901). */
    public static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    private static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(MAX_SHOWN).forEach(c -> shown.appendCodePoint(isPrintable(c) ? c : '?'));
        return text.codePointCount(0, text.length()) > MAX_SHOWN ? shown + "..." : shown.toString();
    }

    /** No control, format, surrogate, line or paragraph separator: a value must not forge a second log line. */
    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
