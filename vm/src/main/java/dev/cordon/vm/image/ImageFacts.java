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
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an image without starting it.
 *
 * @param entries the files directly below /, and those up to three levels below /etc, by absolute path
 */
public record ImageFacts(SortedMap<String, ImageEntry> entries) {
    static final String FILE = "facts";

    private static final JsonReader JSON = new JsonReader(2, 64 << 10);

    /** Copies the map. */
    public ImageFacts {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    /** Reads them from a tar archive of the whole image. */
    static ImageFacts ofArchive(Path archive) throws IOException {
        TreeMap<String, ImageEntry> entries = new TreeMap<>();
        try (InputStream stream = new BufferedInputStream(Files.newInputStream(archive), 1 << 20)) {
            TarReader tar = new TarReader(stream, ImageProblem::ofArchive);
            for (TarEntry entry = tar.next(); entry != null; entry = tar.next()) {
                String path = "/" + entry.path().replaceFirst("^(\\./)*/*", "").replaceFirst("/+$", "");
                if (path.matches("/[^/]+|/etc(/[^/]+){1,3}")) {
                    entries.put(path, new ImageEntry(kind(entry), entry.mode(), entry.link()));
                }
            }
        }
        return new ImageFacts(entries);
    }

    void write(Path file) throws IOException {
        StringBuilder lines = new StringBuilder();
        entries.forEach((path, entry) -> lines.append(new JsonLine()
                .text("path", path)
                .text("kind", entry.kind().name())
                .number("mode", entry.mode())
                .text("target", entry.target())
                .end()));
        Files.writeString(file, lines);
    }

    static ImageFacts read(Path file) throws IOException {
        TreeMap<String, ImageEntry> entries = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            Map<String, @Nullable Object> fact = JSON.object(line.getBytes(StandardCharsets.UTF_8));
            if (fact.get("path") instanceof String path
                    && fact.get("kind") instanceof String kind
                    && fact.get("mode") instanceof Long mode
                    && fact.get("target") instanceof String target) {
                entries.put(path, new ImageEntry(ImageEntry.Kind.valueOf(kind), mode.intValue(), target));
            } else {
                throw new IOException(file + " is damaged");
            }
        }
        return new ImageFacts(entries);
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
