package dev.cordon.guest;

import java.util.List;
import java.util.stream.Stream;

/**
 * How one test ended inside the guest; one line of the file that comes back.
 *
 * @param status    how it ended
 * @param container the test's class
 * @param test      the test's name, with its arguments
 * @param millis    how long it took
 * @param message   why it failed or was skipped
 */
record InnerResult(Status status, String container, String test, long millis, String message) {
    /** The ends a test can have. */
    enum Status {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** The file's last line, which says that the suite came to its end. */
    static final String END = "END";

    private static final int FIELDS = 5;
    private static final int MOST = 4000;

    String line() {
        return Stream.of(status.name(), container, test, Long.toString(millis), message)
                .map(InnerResult::escaped)
                .reduce((left, right) -> left + "\t" + right)
                .orElseThrow();
    }

    static InnerResult parse(String line) {
        List<String> fields = Stream.of(line.split("\t", FIELDS))
                .map(String::translateEscapes)
                .toList();
        if (fields.size() != FIELDS) {
            throw new IllegalArgumentException("not a result of a test: " + line);
        }
        return new InnerResult(
                Status.valueOf(fields.get(0)),
                fields.get(1),
                fields.get(2),
                Long.parseLong(fields.get(3)),
                fields.get(4));
    }

    private static String escaped(String text) {
        String whole = text.length() > MOST ? text.substring(0, MOST) + "..." : text;
        return whole.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }
}
