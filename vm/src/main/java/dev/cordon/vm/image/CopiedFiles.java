package dev.cordon.vm.image;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarWriter;
import dev.cordon.vm.layer.ContentHash;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;

/**
 * What a description has copied into its image. A link among it is an error.
 *
 * @param directory of the descriptions
 * @param copies    what lies in it, by where it is in the image
 * @param hashes    the hashes of files that are known
 */
record CopiedFiles(Path directory, SortedMap<String, String> copies, CopiedHashes hashes) {
    /** Adds what is copied, with its names and whether it may be run. */
    void hash(ContentHash hash) throws IOException {
        for (Map.Entry<String, String> copy : copies.entrySet()) {
            hash.add(copy.getKey());
            CopiedTree.visit(directory, copy.getValue(), new CopiedTree.Visitor() {
                @Override
                public void directory(String name) {
                    hash.add(name).add("");
                }

                @Override
                public void file(String name, CopiedTree.CopiedFile file) throws IOException {
                    hash.add(name).add(hashes.of(file) + file.executable());
                }
            });
        }
    }

    /** Writes it as an archive, all of it owned by root. */
    void write(Path archive) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(archive))) {
            TarWriter tar = new TarWriter(out);
            for (Map.Entry<String, String> copy : copies.entrySet()) {
                String place = copy.getKey().substring(1);
                CopiedTree.visit(directory, copy.getValue(), new CopiedTree.Visitor() {
                    @Override
                    public void directory(String name) throws IOException {
                        tar.write(TarEntry.directory(below(place, name), 0755, 0));
                    }

                    @Override
                    public void file(String name, CopiedTree.CopiedFile file) throws IOException {
                        int mode = file.executable() ? 0755 : 0644;
                        try (InputStream content = file.content().open()) {
                            tar.write(
                                    new TarEntry(
                                            below(place, name),
                                            TarEntry.Kind.FILE,
                                            mode,
                                            0,
                                            0,
                                            file.facts().size(),
                                            0,
                                            ""),
                                    content);
                        }
                    }
                });
            }
            tar.finish();
        }
    }

    private static String below(String place, String name) {
        return place + (name.isEmpty() ? "" : "/" + name);
    }
}
