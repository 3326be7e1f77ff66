package dev.cordon.vm.image;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarReader;
import dev.cordon.vm.json.JsonLine;
import dev.cordon.vm.json.JsonReader;
import dev.cordon.vm.layer.ImageProblem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an image without starting it.
 *
 * @param entries the files directly below /, the symbolic links up to three levels below that, and the settings of git, by path
 * @param users   its /etc/passwd; empty when it has none, or one that is too long
 * @param groups  its /etc/group, likewise
 */
public record ImageFacts(SortedMap<String, ImageEntry> entries, String users, String groups) {
    static final String FILE = "facts";

    private static final String USERS = "/etc/passwd";
    private static final String GROUPS = "/etc/group";
    private static final String GIT_SETTINGS = "/etc/gitconfig";
    private static final int MOST_TEXT = 16 << 10;
    private static final int MOST_LINKS = 4096;
    private static final Pattern TOP = Pattern.compile("/[^/]+");
    private static final Pattern NEAR = Pattern.compile("(/[^/]+){1,4}");

    private static final JsonReader JSON = new JsonReader(2, 256 << 10);

    /** Copies the map. */
    public ImageFacts {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    /** Reads them from a tar archive of the whole image. */
    static ImageFacts ofArchive(Path archive) throws IOException {
        TreeMap<String, ImageEntry> entries = new TreeMap<>();
        Map<String, String> texts = new HashMap<>();
        try (InputStream stream = new BufferedInputStream(Files.newInputStream(archive), 1 << 20)) {
            TarReader tar = new TarReader(stream, ImageProblem::ofArchive);
            for (TarEntry entry = tar.next(); entry != null; entry = tar.next()) {
                String path = "/" + entry.path().replaceFirst("^(\\./)*/*", "").replaceFirst("/+$", "");
                if (isNear(path, entry, entries.size())) {
                    entries.put(path, new ImageEntry(kind(entry), entry.mode(), entry.link()));
                }
                if ((path.equals(USERS) || path.equals(GROUPS)) && entry.size() <= MOST_TEXT) {
                    texts.put(path, new String(tar.content().readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return new ImageFacts(entries, texts.getOrDefault(USERS, ""), texts.getOrDefault(GROUPS, ""));
    }

    /** What a mount of a job's may meet on its way: everything at the top, and links that lead elsewhere. */
    private static boolean isNear(String path, TarEntry entry, int known) {
        return TOP.matcher(path).matches()
                || path.equals(GIT_SETTINGS)
                || (entry.kind() == TarEntry.Kind.SYMBOLIC_LINK
                        && known < MOST_LINKS
                        && NEAR.matcher(path).matches());
    }

    void write(Path file) throws IOException {
        StringBuilder lines = new StringBuilder();
        entries.forEach((path, entry) -> lines.append(new JsonLine()
                .text("path", path)
                .text("kind", entry.kind().name())
                .number("mode", entry.mode())
                .text("target", entry.target())
                .end()));
        lines.append(new JsonLine().text("users", users).text("groups", groups).end());
        Files.writeString(file, lines);
    }

    static ImageFacts read(Path file) throws IOException {
        TreeMap<String, ImageEntry> entries = new TreeMap<>();
        String users = "";
        String groups = "";
        for (String line : Files.readAllLines(file)) {
            Map<String, @Nullable Object> fact = JSON.object(line.getBytes(StandardCharsets.UTF_8));
            if (fact.get("path") instanceof String path
                    && fact.get("kind") instanceof String kind
                    && fact.get("mode") instanceof Long mode
                    && fact.get("target") instanceof String target) {
                entries.put(path, new ImageEntry(ImageEntry.Kind.valueOf(kind), mode.intValue(), target));
            } else if (fact.get("users") instanceof String passwd && fact.get("groups") instanceof String group) {
                users = passwd;
                groups = group;
            } else {
                throw new IOException(file + " is damaged");
            }
        }
        return new ImageFacts(entries, users, groups);
    }

    private static ImageEntry.Kind kind(TarEntry entry) {
        return switch (entry.kind()) {
            case DIRECTORY -> ImageEntry.Kind.DIRECTORY;
            case FILE, HARD_LINK -> ImageEntry.Kind.FILE;
            case SYMBOLIC_LINK -> ImageEntry.Kind.LINK;
            case DEVICE, PIPE -> ImageEntry.Kind.OTHER;
        };
    }
}
