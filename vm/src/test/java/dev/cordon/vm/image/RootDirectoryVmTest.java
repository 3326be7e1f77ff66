package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarWriter;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.LayerStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An image that jails see as a directory. */
@Tag("vm")
final class RootDirectoryVmTest {
    @TempDir
    private Path folder;

    private Image image;

    @BeforeEach
    void bring() throws IOException {
        Path archive = folder.resolve("root.tar");
        try (OutputStream out = Files.newOutputStream(archive)) {
            TarWriter tar = new TarWriter(out);
            file(tar, "usr/bin/tool", 06777, "#!/bin/sh\n");
            file(tar, "etc/os-release", 0644, "NAME=tiny\n");
            file(tar, "home/user/letter", 0666, "of the image");
            file(tar, "dev/letter", 0644, "every jail has a /dev of its own");
            tar.write(link("bin", "usr/bin"));
            tar.write(link("usr/out", "../../../etc"));
            tar.finish();
        }
        image = images().importArchive("tiny", archive);
    }

    /** Its files would not be what machines boot from. */
    @Test
    void anImageThatIsBroughtAnewIsUnpackedAnew() throws IOException {
        Images images = images();
        Path old = images.directory(image);
        assertThat(images.directory(image)).isEqualTo(old);
        assertThat(images().remove("tiny")).isTrue(); // as another process does
        Image again = images.importArchive("tiny", folder.resolve("root.tar"));
        assertThat(images.directory(again).resolve("etc/os-release")).hasContent("NAME=tiny\n");
        Path other = folder.resolve("other.tar");
        try (OutputStream out = Files.newOutputStream(other)) {
            TarWriter tar = new TarWriter(out);
            file(tar, "usr/bin/tool", 0755, "#!/bin/sh\n");
            file(tar, "etc/os-release", 0644, "NAME=other\n");
            file(tar, "etc/shadow", 0, "nobody reads this\n");
            tar.finish();
        }
        Image changed = images.importArchive("tiny", other);
        assertThat(changed.key()).isNotEqualTo(image.key());
        assertThat(images.directory(changed).resolve("etc/os-release")).hasContent("NAME=other\n");
        assertThat(old).doesNotExist();
    }

    private static TarEntry link(String path, String target) {
        return new TarEntry(path, TarEntry.Kind.SYMBOLIC_LINK, 0777, 0, 0, 0, 0, target);
    }

    private static void file(TarWriter tar, String path, int mode, String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        tar.write(
                new TarEntry(path, TarEntry.Kind.FILE, mode, 1234, 1234, content.length, 0, ""),
                new ByteArrayInputStream(content));
    }

    private Images images() {
        return new Images(new LayerStore(folder.resolve("store")), folder.resolve("none"), BuildProgress.silent());
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void hasWhatAJailShowsAndNothingThatChangesIds() throws IOException {
        Path root = images().directory(image);
        assertThat(mode(root.resolve("usr/bin/tool"))).isEqualTo("rwxr-xr-x");
        assertThat((int) Files.getAttribute(root.resolve("usr/bin/tool"), "unix:mode") & 07000)
                .isZero();
        assertThat(Files.readSymbolicLink(root.resolve("bin"))).hasToString("usr/bin");
        assertThat(Files.readSymbolicLink(root.resolve("usr/out"))).hasToString("../../../etc");
        assertThat(root.resolve("etc/os-release")).hasContent("NAME=tiny");
        assertThat(root.resolve("home/user/letter")).hasContent("of the image");
        assertThat(mode(root.resolve("home/user/letter"))).isEqualTo("rw-r--r--");
        assertThat(root.resolve("dev")).doesNotExist();
    }

    @Test
    void isMadeAnewWhenItIsDamaged() throws IOException {
        Path root = images().directory(image);
        Path file = root.resolve("etc/os-release");
        Files.writeString(file, "NAME=evil\n");
        assertThat(images().directory(image)).isEqualTo(root);
        assertThat(file).hasContent("NAME=tiny");
        Files.writeString(root.resolve("usr/bin/more"), "planted");
        assertThat(images().directory(image).resolve("usr/bin/more")).doesNotExist();
        Files.delete(root.resolve("bin"));
        Files.createSymbolicLink(root.resolve("bin"), Path.of("/tmp"));
        assertThat(Files.readSymbolicLink(images().directory(image).resolve("bin")))
                .hasToString("usr/bin");
    }

    @Test
    void goesWithItsImage() throws IOException {
        Path root = images().directory(image);
        assertThat(images().remove("tiny")).isTrue();
        assertThat(root).doesNotExist();
        try (Stream<Path> entries = Files.list(folder.resolve("store"))) {
            assertThat(entries.map(entry -> String.valueOf(entry.getFileName())))
                    .noneMatch(name -> name.startsWith("root-") || name.startsWith("image-"));
        }
    }
}
