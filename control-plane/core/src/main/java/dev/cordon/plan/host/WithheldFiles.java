package dev.cordon.plan.host;

import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.planner.RootLayout;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Files that jails are not shown though their directory is: certificates that name the host, what lies among certificates and is not for
 * everybody, and passwords of Java's management.
 */
final class WithheldFiles {
    /** A certificate that the distribution made for this host, by the directory in which it lies. */
    private static final Map<String, String> OF_HOST =
            Map.of("/etc/ssl/certs", "ssl-cert-snakeoil.pem", "/etc/pki/tls/certs", "localhost.crt");

    private static final Pattern JAVA = Pattern.compile("/etc/java(-\\d+-[^/]+)?");
    private static final String MANAGEMENT = "management";
    private static final String PASSWORDS = ".password";
    /** Fedora: /etc/java/java-17-openjdk/java-17-openjdk-17.0.9.0.9-3.fc39.x86_64/conf/management. */
    private static final int JAVA_DEPTH = 5;

    private final Path root;
    private final boolean ownIds;

    /**
     * Of a host.
     *
     * @param ownIds whether every job has an id of its own: the kernel itself keeps from it then what is not for everybody
     */
    WithheldFiles(Path root, boolean ownIds) {
        this.root = root;
        this.ownIds = ownIds;
    }

    /** Those in the directories of an image. Links are not among them: what they lead to is shown, or is withheld by itself. */
    SortedSet<String> in(SortedMap<String, HostEntry> image) {
        SortedSet<String> found = new TreeSet<>();
        image.forEach((shown, entry) -> {
            if (entry instanceof HostEntry.Directory) {
                OF_HOST.forEach((directory, name) -> {
                    if (RootLayout.isBelow(directory, shown)) {
                        certificates(directory, name, found);
                    }
                });
                if (JAVA.matcher(shown).matches()) {
                    passwords(shown, JAVA_DEPTH, found);
                }
            }
        });
        return found;
    }

    private void certificates(String directory, String ofHost, SortedSet<String> found) {
        if (ownIds) { // there are hundreds, and a look at each takes longer than all else of a survey
            if (Files.isRegularFile(there(directory).resolve(ofHost), LinkOption.NOFOLLOW_LINKS)) {
                found.add(directory + "/" + ofHost);
            }
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(there(directory))) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (isWithheld(file, name.equals(ofHost))) {
                    add(directory, name, found);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            found.add(directory); // what cannot be looked through is not shown at all; it may not be there
        }
    }

    private static boolean isWithheld(Path file, boolean ofHost) throws IOException {
        try {
            PosixFileAttributes facts =
                    Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return facts.isRegularFile() && (ofHost || !facts.permissions().contains(PosixFilePermission.OTHERS_READ));
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    private void passwords(String directory, int depth, SortedSet<String> found) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(there(directory))) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    if (depth > 1) {
                        passwords(directory + "/" + name, depth - 1, found);
                    }
                } else if (directory.endsWith("/" + MANAGEMENT)
                        && name.endsWith(PASSWORDS)
                        && !Files.isSymbolicLink(file)) {
                    add(directory, name, found);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            found.add(directory);
        }
    }

    /** A name that is no text here could not be named to the kernel either. */
    private static void add(String directory, String name, SortedSet<String> found) {
        found.add(name.indexOf('\uFFFD') < 0 ? directory + "/" + name : directory);
    }

    private Path there(String path) {
        return root.resolve(path.substring(1));
    }
}
