package dev.cordon.policy.file;

import java.util.List;

/** What somebody may have meant. */
final class NameSuggestion {
    private NameSuggestion() {}

    static String of(String typed, List<String> known) {
        String nearest = "";
        int least = Math.max(2, typed.length() / 3) + 1;
        for (String each : known) {
            int distance = distance(typed, each);
            if (distance < least) {
                least = distance;
                nearest = each;
            }
        }
        return nearest.isEmpty() ? "known are " + String.join(", ", known) : "did you mean " + nearest + "?";
    }

    /** Levenshtein's. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
