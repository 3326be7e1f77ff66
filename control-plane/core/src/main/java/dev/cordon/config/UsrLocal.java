package dev.cordon.config;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/** The setting host.usr_local: which names below the host's /usr/local jails are shown. */
public final class UsrLocal {
    /** Shows everything. */
    public static final String ALL = "*";

    /** What the Filesystem Hierarchy Standard puts there, less what may hold a site's secrets: etc and src. */
    public static final Set<String> STANDARD =
            Set.of("bin", "games", "include", "lib", "lib32", "lib64", "libexec", "man", "sbin", "share");

    private UsrLocal() {}

    /**
     * The names in a text, with commas between them; none in an empty one.
     *
     * @throws IllegalArgumentException when one is not the name of a file
     */
    static Set<String> parse(String text) {
        Set<String> names = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            String name = part.strip();
            if (name.contains("/") || name.equals(".") || name.equals("..")) {
                throw new IllegalArgumentException("'" + name + "' is not a name below /usr/local");
            }
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    /** The standard names as the setting's text. */
    static String standard() {
        String[] names = STANDARD.toArray(String[]::new);
        Arrays.sort(names);
        return String.join(",", names);
    }
}
