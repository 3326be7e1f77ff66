package dev.cordon.job;

import dev.cordon.job.limit.Limit;
import java.util.regex.Pattern;

/**
 * One field of a job that is invalid.
 *
 * @param pointer where, as a JSON pointer into the job: {@code /limits/memory}, {@code /mounts/0/source}
 * @param value   what was given, shortened and printable
 * @param rule    the rule that it breaks
 * @param remedy  what to write instead
 * @param amount  whether the value is not an amount of the limit that the field is, or one out of its range: the remedy tells the range
 */
public record FieldError(String pointer, String value, String rule, String remedy, boolean amount) {
    private static final int MAX_SHOWN = 120;

    /** No control, format, surrogate, unassigned, line or paragraph separator: a value must not forge a second log line. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}]");

    /** Makes the value safe to print: control characters are replaced, long values cut. */
    public FieldError {
        value = printable(value);
    }

    /** About anything but an amount. */
    public FieldError(String pointer, String value, String rule, String remedy) {
        this(pointer, value, rule, remedy, false);
    }

    /** About the amount of a limit. */
    static FieldError ofAmount(Limit limit, String value, String rule) {
        String range = limit.show(limit.least()) + " to " + limit.show(limit.most());
        return new FieldError(
                limit.pointer(), value, rule, "give " + limit.example() + ", in the range " + range, true);
    }

    /** One line for people. */
    public String message() {
        return (pointer.isEmpty() ? "" : pointer + ": ") + "'" + value + "' " + rule + "; " + remedy;
    }

    /** A name as a part of a JSON pointer (RFC 6901). */
    public static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    private static String printable(String text) {
        boolean cut = text.codePointCount(0, text.length()) > MAX_SHOWN;
        String shown = cut ? text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN)) : text;
        return UNPRINTABLE.matcher(shown).replaceAll("?") + (cut ? "..." : "");
    }
}
