package dev.cordon.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTreeTest {

    @TempDir
    Path parent;

    @Test
    void linksAreNotFollowed() throws IOException {
        Path outside = Files.createDirectory(parent.resolve("outside"));
        Path precious = Files.writeString(outside.resolve("precious"), "keep");
        Path tree = Files.createDirectories(parent.resolve("tree/a/b"));
        Files.createSymbolicLink(tree.resolve("directory"), outside);
        Files.createSymbolicLink(parent.resolve("tree/file"), precious);
        Files.createSymbolicLink(parent.resolve("tree/dangling"), Path.of("nowhere"));
        DirectoryTree.delete(parent, "tree");
        assertThat(parent.resolve("tree")).doesNotExist();
        assertThat(precious).hasContent("keep");
    }

    @Test
    void linkInPlaceOfTheDirectoryIsRemovedItself() throws IOException {
        Path outside = Files.createDirectory(parent.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "keep");
        Files.createSymbolicLink(parent.resolve("tree"), outside);
        DirectoryTree.delete(parent, "tree");
        assertThat(parent).isDirectoryNotContaining("glob:**tree");
        assertThat(outside.resolve("precious")).exists();
    }

    @Test
    void depthAndNamesDoNotMatter() throws IOException {
        Path deep = Files.createDirectories(parent.resolve("tree/.cordon-delete-0/.cordon-delete-1"));
        for (int level = 0; level < 300; level++) {
            deep = Files.createDirectory(deep.resolve("d"));
            Files.writeString(deep.resolve("f"), "x");
            Files.createDirectory(deep.resolve("e"));
        }
        DirectoryTree.delete(parent, "tree");
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatIsNotThereIsFine() throws IOException {
        DirectoryTree.delete(parent, "tree");
        DirectoryTree.delete(parent.resolve("nowhere"), "tree");
        assertThat(parent).isEmptyDirectory();
    }
}
