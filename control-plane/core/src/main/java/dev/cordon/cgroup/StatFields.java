package dev.cordon.cgroup;

import java.util.OptionalLong;

/** Lines of the form {@code <name> key=value key=value}, as in io.stat and the pressure files. */
public final class StatFields {

    private StatFields() {}

    /** The value of a key in the line of that name. */
    static OptionalLong of(String text, String name, String key) {
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(name + " ")) {
                return of(line, key);
            }
        }
        return OptionalLong.empty();
    }

    /** The sum of a key over all lines; 0 when there is none. */
    public static long sum(String text, String key) {
        long sum = 0;
        for (String line : text.split("\n", -1)) {
            sum += of(line, key).orElse(0);
        }
        return sum;
    }

    private static OptionalLong of(String line, String key) {
        for (String word : line.split(" ", -1)) {
            if (word.startsWith(key) && word.startsWith("=", key.length())) {
                return OptionalLong.of(Long.parseLong(word.substring(key.length() + 1)));
            }
        }
        return OptionalLong.empty();
    }
}
