package dev.cordon.vm.image;

import java.io.IOException;
import java.nio.file.Path;

record ArchiveImport(Path scratch) {
    void merge(Path archive, Path merged) throws IOException {
        throw new IOException("not yet");
    }
}
