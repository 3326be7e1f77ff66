package dev.cordon.plan.host;

import dev.cordon.config.HostShown;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What of the host's /usr belongs to the site instead of the system, and may hold its secrets (an npmrc with a token, sources that are
 * nobody's business): hidden from jails, whether it is there already or comes later. Of /usr/local the operator says what is shown.
 */
final class SiteTrees {
    /** Never shown. */
    static final List<String> HIDDEN = List.of("/usr/etc", "/usr/home", "/usr/src");

    private static final String LOCAL = "/usr/local";

    private final Path root;
    private final Set<String> shown;
    private @Nullable FileTime changed;
    private SortedSet<String> hidden = Collections.emptySortedSet();

    SiteTrees(Path root, Set<String> shown) {
        this.root = root;
        this.shown = Set.copyOf(shown);
    }

    /** The paths that are not shown. What lies directly in /usr/local is listed again when that has changed. */
    synchronized SortedSet<String> hidden() {
        Path local = root.resolve(LOCAL.substring(1));
        FileTime now = lastChange(local);
        if (now == null || !now.equals(changed)) {
            hidden = Collections.unmodifiableSortedSet(look(local));
            changed = now;
        }
        return hidden;
    }

    private static @Nullable FileTime lastChange(Path local) {
        try {
            // Not the time of the last modification, which who unpacks an archive can set back.
            return (FileTime) Files.getAttribute(local, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException absent) {
            return null;
        }
    }

    private SortedSet<String> look(Path local) {
        SortedSet<String> found = new TreeSet<>(HIDDEN);
        found.removeIf(path -> Files.isSymbolicLink(root.resolve(path.substring(1))));
        if (shown.contains(HostShown.ALL) || Files.isSymbolicLink(local)) {
            return found; // a link leads out of what is shown, or to what is hidden by itself
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(local, this::isHidden)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                // A name that is not a text here could not be named to the kernel either.
                found.add(name.indexOf('\uFFFD') < 0 ? LOCAL + "/" + name : LOCAL);
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            found.add(LOCAL); // what cannot be looked through is not shown at all; it may not be there
        }
        return found;
    }

    /** A link leads to what is shown or hidden by itself. */
    private boolean isHidden(Path entry) {
        return !shown.contains(String.valueOf(entry.getFileName())) && !Files.isSymbolicLink(entry);
    }
}
