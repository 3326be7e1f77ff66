package dev.cordon.flow;

import java.util.List;

/**
 * Patterns of paths: {@code *} and {@code ?} stay within one name, {@code **} crosses directories, and {@code **}{@code /} stands for no
 * directory, too. No brackets and no braces. Takes time in proportion to both lengths: patterns come from clients and paths from jobs.
 */
final class PathPatterns {
    private final List<String> globs;

    PathPatterns(List<String> globs) {
        this.globs = List.copyOf(globs);
    }

    boolean match(String path) {
        return globs.stream().anyMatch(glob -> match(glob, path));
    }

    /** Which ends of the path's beginnings the pattern's beginning reaches, one piece of the pattern after the other. */
    private static boolean match(String glob, String path) {
        boolean[] reached = new boolean[path.length() + 1];
        reached[0] = true;
        int at = 0;
        while (at < glob.length()) {
            boolean[] next = new boolean[path.length() + 1];
            if (glob.startsWith("**/", at)) {
                at += 3;
                directories(reached, next, path);
            } else if (glob.startsWith("**", at)) {
                at += 2;
                run(reached, next, path, true);
            } else if (glob.charAt(at) == '*') {
                at++;
                run(reached, next, path, false);
            } else {
                char c = glob.charAt(at++);
                for (int i = 0; i < path.length(); i++) {
                    char found = path.charAt(i);
                    next[i + 1] = reached[i] && (c == '?' ? found != '/' : found == c);
                }
            }
            reached = next;
        }
        return reached[path.length()];
    }

    private static void directories(boolean[] reached, boolean[] next, String path) {
        boolean open = false;
        for (int i = 0; i <= path.length(); i++) {
            open |= reached[i];
            next[i] = reached[i] || (open && i > 0 && path.charAt(i - 1) == '/');
        }
    }

    private static void run(boolean[] reached, boolean[] next, String path, boolean across) {
        boolean open = false;
        for (int i = 0; i <= path.length(); i++) {
            open = (open && (across || path.charAt(i - 1) != '/')) || reached[i];
            next[i] = open;
        }
    }
}
