package dev.cordon.vm.image;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarWriter;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.ImageProblem;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * What a description has copied into its image. Links are neither copied nor followed.
 *
 * @param directory of the descriptions
 * @param copies    what lies in it, by where it is in the image
 */
record CopiedFiles(Path directory, SortedMap<String, String> copies) {
    /** Adds what is copied, with its names and whether it may be run. */
    void hash(ContentHash hash) throws IOException {
        for (Map.Entry<String, String> copy : copies.entrySet()) {
            hash.add(copy.getKey());
            Path source = source(copy.getValue());
            for (Path file : below(source)) {
                hash.add(source.relativize(file).toString());
                hash.add(Files.isDirectory(file) ? "" : ContentHash.ofFile(file) + Files.isExecutable(file));
            }
        }
    }

    /** Writes it as an archive, all of it owned by root. */
    void write(Path archive) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(archive))) {
            TarWriter tar = new TarWriter(out);
            for (Map.Entry<String, String> copy : copies.entrySet()) {
                Path source = source(copy.getValue());
                for (Path file : below(source)) {
                    String rest = source.relativize(file).toString();
                    write(tar, copy.getKey().substring(1) + (rest.isEmpty() ? "" : "/" + rest), file);
                }
            }
            tar.finish();
        }
    }

    private static void write(TarWriter tar, String name, Path file) throws IOException {
        if (Files.isDirectory(file)) {
            tar.write(TarEntry.directory(name, 0755, 0));
            return;
        }
        int mode = Files.isExecutable(file) ? 0755 : 0644;
        try (InputStream content = Files.newInputStream(file)) {
            tar.write(new TarEntry(name, TarEntry.Kind.FILE, mode, 0, 0, Files.size(file), 0, ""), content);
        }
    }

    private Path source(String name) throws ImageProblem {
        Path source = directory.resolve(name);
        if (!Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
            throw new ImageProblem(
                    "copy: there is no " + source, "put it beside the description, or correct the name in [copy]");
        }
        return source;
    }

    /** A directory before what is in it. */
    private static List<Path> below(Path source) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(source)) {
            files = walk.sorted().toList();
        }
        for (Path file : files) {
            if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new ImageProblem(
                        "copy: " + file + " is neither a regular file nor a directory", "copy what it points to");
            }
        }
        return files;
    }
}
