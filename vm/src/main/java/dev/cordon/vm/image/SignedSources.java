package dev.cordon.vm.image;

import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Package sources of the host that an image may be built from: apt checks their signatures with the host's keys. A source that the host
 * trusts without a signature is refused, since whoever is between the mirror and the host would choose what guests run.
 */
final class SignedSources {
    /** An entry of one line, with its options, as in sources.list(5). */
    private static final Pattern ENTRY = Pattern.compile("\\s*deb(?:-src)?\\s+\\[([^\\]]*)\\].*");

    private static final Pattern OPTION = Pattern.compile("(?i)(?:^|\\s)(trusted|allow-insecure)\\s*=\\s*(\\S+)");
    private static final Pattern FIELD = Pattern.compile("(?i)(trusted|allow-insecure)\\s*:\\s*(\\S+)\\s*");

    /** What apt takes for a no; it is asked for a yes here, so every other word counts as one. */
    private static final Set<String> NO = Set.of("no", "false", "without", "off", "disable", "0");

    private SignedSources() {}

    /**
     * Returns the files when every entry of them is checked by a signature.
     *
     * @throws ImageProblem with the file and line of the first entry that is not
     */
    static List<String> require(List<String> files) throws IOException {
        for (String file : files) {
            int number = 0;
            for (String line : Files.readAllLines(Path.of(file))) {
                number++;
                Matcher entry = ENTRY.matcher(line);
                Matcher option = entry.matches() ? OPTION.matcher(entry.group(1)) : FIELD.matcher(line);
                boolean found = entry.matches() ? option.find() : option.matches();
                if (found && !NO.contains(option.group(2).toLowerCase(Locale.ROOT))) {
                    throw new ImageProblem(
                            file + ":" + number + " switches the signatures of packages off (" + option.group(1) + ")",
                            "sign the mirror and name its key with signed-by, or build the image elsewhere and use: "
                                    + "cordon image import NAME ARCHIVE");
                }
            }
        }
        return files;
    }
}
