package dev.cordon.json;

import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** What a parser found wrong with a text, in one clean line with the place. */
public final class JsonMistake {
    /** Where a parser points back to the source of the text, which it does not know. */
    private static final Pattern SOURCE =
            Pattern.compile("\\s*\\(start marker at \\[Source:[^\\]]*\\]\\)|\\[Source:[^\\]]*\\]");

    private JsonMistake() {}

    /** What is wrong, then {@code at line 1, column 16} where that is known. */
    public static String of(JacksonException e) {
        String first =
                String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
        String text = SOURCE.matcher(first).replaceAll("").strip();
        TokenStreamLocation place = e.getLocation();
        return place == null || place.getLineNr() < 1
                ? text
                : text + ", at line " + place.getLineNr() + ", column " + place.getColumnNr();
    }
}
