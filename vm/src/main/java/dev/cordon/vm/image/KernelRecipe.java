package dev.cordon.vm.image;

import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.BuildTool;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.ImageProblem;
import dev.cordon.vm.layer.LayerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Takes the kernel, and the modules that a guest loads, out of the distribution's package. Nothing is installed on the host. */
record KernelRecipe(BuildProgress progress) implements LayerStore.Recipe {
    static final String KIND = "kernel";
    static final String KERNEL = "vmlinuz";
    static final String ORDER = "order";

    private static final String METAPACKAGE = "linux-image-cloud-amd64";
    private static final String FORMAT = "kernel 1";

    /** The bus, the root's disk, the channel, the source of randomness, the root's file system and what is laid over it. */
    private static final List<String> MODULES =
            List.of("virtio_pci", "virtio_blk", "virtio_console", "virtio_rng", "squashfs", "overlay");

    static String key() throws IOException {
        return new ContentHash()
                .add(FORMAT)
                .add(METAPACKAGE)
                .add(String.join(" ", MODULES))
                .add(AptDistribution.identity())
                .hex();
    }

    @Override
    public void make(Path directory, Path scratch) throws IOException {
        BuildTool.require("apt-get", "apt-cache", "dpkg-deb");
        progress.step(1, 2, "downloading the guest's kernel");
        String name = AptDistribution.kernelPackage(scratch, METAPACKAGE);
        SignedSources.require(AptDistribution.sourceFiles(scratch));
        BuildTool.run(
                scratch,
                "apt-get",
                "-o",
                "APT::Sandbox::User=",
                "-o",
                "APT::Get::AllowUnauthenticated=false",
                "download",
                name);
        progress.step(2, 2, "unpacking the guest's kernel");
        Path root = Files.createDirectory(scratch.resolve("root"));
        BuildTool.run(scratch, "dpkg-deb", "-x", single(scratch, ".deb").toString(), root.toString());
        Files.copy(single(root.resolve("boot"), ""), directory.resolve(KERNEL));
        StringBuilder order = new StringBuilder();
        for (Path module : new KernelModules(root.resolve("lib/modules")).inOrder(MODULES)) {
            Files.copy(module, directory.resolve(String.valueOf(module.getFileName())));
            order.append(module.getFileName()).append('\n');
        }
        Files.writeString(directory.resolve(ORDER), order);
    }

    /** The one file that a package is, or the one kernel in it. */
    private static Path single(Path directory, String suffix) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            List<Path> found = entries.filter(entry -> suffix.isEmpty()
                            ? String.valueOf(entry.getFileName()).startsWith("vmlinuz")
                            : entry.toString().endsWith(suffix))
                    .toList();
            if (found.size() != 1) {
                throw new ImageProblem(
                        "the kernel package holds " + found.size() + " kernels",
                        "as root: apt-get update, then try again");
            }
            return found.getFirst();
        }
    }
}
