package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingType;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The setting host.usr_local: which names below the host's /usr/local jails are shown. */
final class UsrLocal {
    static final Setting<Set<String>> NAMES = new Setting<>(
            "host.usr_local",
            SettingType.of(SettingType.Kind.TEXT, UsrLocal::parse)
                    .remedy("give names with commas between them, such as bin,lib,share; * for all, nothing for none"),
            "bin,games,include,lib,lib32,lib64,libexec,man,sbin,share",
            "Which directories of the host's /usr/local jails are shown, with commas between their names; * for"
                    + " all, etc and src with their secrets included. /usr/etc, /usr/home and /usr/src never are.");

    /** What the Filesystem Hierarchy Standard puts there, less what may hold a site's secrets: etc and src. */
    static final Set<String> STANDARD = NAMES.standardValue();

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
        return Collections.unmodifiableSet(names);
    }
}
