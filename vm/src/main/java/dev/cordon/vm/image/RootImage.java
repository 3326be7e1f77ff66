package dev.cordon.vm.image;

import dev.cordon.vm.layer.BuildTool;
import java.io.IOException;
import java.nio.file.Path;

/** The files of a root image's layer. */
final class RootImage {
    static final String KIND = "image";
    static final String ROOT = "root.squashfs";
    static final String FORMAT = "image 4";

    private RootImage() {}

    /** Makes the layer from a tar archive. LZ4 in small blocks, because under emulation unpacking costs more than reading. */
    static void pack(Path archive, ImageConfig config, Path directory, Path scratch) throws IOException {
        BuildTool.require("mksquashfs");
        config.write(directory.resolve(ImageConfig.FILE));
        ImageFacts.ofArchive(archive).write(directory.resolve(ImageFacts.FILE));
        BuildTool.run(
                scratch,
                archive,
                line -> {},
                "mksquashfs",
                "-",
                directory.resolve(ROOT).toString(),
                "-tar",
                "-comp",
                "lz4",
                "-Xhc",
                "-b",
                "64K",
                "-root-mode",
                "0755",
                "-no-xattrs",
                "-mkfs-time",
                "0",
                "-noappend",
                "-no-progress",
                "-quiet");
    }
}
