package dev.cordon.policy.rule;

import java.util.List;

/**
 * Names as policies write them: literal, but for {@code *}, which stands for any characters.
 *
 * @param patterns at least one of them has to match
 */
public record NamePatterns(List<String> patterns) {
    /** Copies the list. */
    public NamePatterns {
        patterns = List.copyOf(patterns);
    }

    /** Whether one of the patterns is this name. */
    public boolean match(String name) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    /** The usual two-pointer walk: linear but for the last star, whatever the pattern. */
    private static boolean matches(String pattern, String name) {
        int p = 0;
        int n = 0;
        int star = -1;
        int mark = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                mark = n;
            } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++mark;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
