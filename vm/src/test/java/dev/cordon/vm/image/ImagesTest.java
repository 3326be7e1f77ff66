package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.LayerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What removing an image takes with it. */
final class ImagesTest {
    private static final String HASH = "0123456789abcdef".repeat(4);

    @TempDir
    private Path folder;

    @Test
    void directoriesOfTheOldKindGoWithAnyImage() throws IOException {
        Path old = Files.createDirectories(folder.resolve("store/tree-base-" + HASH));
        Files.writeString(old.resolve("file"), "");
        Path other = Files.createDirectories(folder.resolve("store/tree-top"));
        Path root = Files.createDirectories(folder.resolve("store/root-base-" + HASH));
        Images images =
                new Images(new LayerStore(folder.resolve("store")), folder.resolve("none"), BuildProgress.silent());
        assertThat(images.remove("gone")).isFalse();
        assertThat(old).doesNotExist();
        assertThat(other).exists();
        assertThat(root).exists();
    }
}
