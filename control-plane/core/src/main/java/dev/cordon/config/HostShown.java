package dev.cordon.config;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What jails are shown of the host beside its programs and libraries.
 *
 * @param usrLocal the names below /usr/local
 * @param files    the paths below /etc and /var
 */
public record HostShown(Set<String> usrLocal, SortedSet<String> files) {
    /** Among the names below /usr/local: all of them. */
    public static final String ALL = "*";

    /** What is shown unless the operator says otherwise. */
    public static final HostShown STANDARD = new HostShown(UsrLocal.STANDARD, ShownFiles.STANDARD);

    /** Copies the collections. */
    public HostShown {
        usrLocal = Set.copyOf(usrLocal);
        files = Collections.unmodifiableSortedSet(new TreeSet<>(files));
    }
}
