package dev.cordon.vm.image;

import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.BuildTool;
import dev.cordon.vm.layer.LayerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes a root image from packages, with mmdebstrap in a mount namespace of its own. */
final class RootRecipe implements LayerStore.Recipe {
    private static final int STEPS = 8;

    private final ImageSpec spec;
    private final CopiedFiles copied;
    private final BuildProgress progress;
    private int step;

    RootRecipe(ImageSpec spec, CopiedFiles copied, BuildProgress progress) {
        this.spec = spec;
        this.copied = copied;
        this.progress = progress;
    }

    @Override
    public void make(Path directory, Path scratch) throws IOException {
        BuildTool.require("mmdebstrap", "mksquashfs", "apt-get", "apt-config", "unshare");
        Path archive = scratch.resolve("root.tar");
        Path settings = scratch.resolve("apt.conf");
        AptDistribution.writeSettings(scratch, settings);
        BuildTool.run(
                scratch, null, this::said, command(scratch, archive, settings).toArray(String[]::new));
        progress.step(STEPS, STEPS, "packing the image");
        RootImage.pack(withCopies(archive, scratch), spec.config(), directory, scratch);
    }

    private Path withCopies(Path archive, Path scratch) throws IOException {
        if (copied.copies().isEmpty()) {
            return archive;
        }
        Path copies = scratch.resolve("copies.tar");
        Path whole = scratch.resolve("whole.tar");
        copied.write(copies);
        RootTree tree = new RootTree();
        tree.add(archive, false);
        tree.add(copies, false);
        tree.write(whole);
        return whole;
    }

    private List<String> command(Path scratch, Path archive, Path settings) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            command.addAll(List.of("unshare", "--mount", "--propagation", "private", "--"));
        }
        command.addAll(List.of("mmdebstrap", "--variant=minbase", "--format=tar", "--aptopt=" + settings));
        if (!spec.packages().isEmpty()) {
            command.add("--include=" + String.join(",", spec.packages()));
        }
        command.add("--dpkgopt=force-unsafe-io");
        for (String left : List.of("doc", "man", "locale", "info", "lintian")) {
            command.add("--dpkgopt=path-exclude=/usr/share/" + left + "/*");
        }
        command.add(AptDistribution.codename());
        command.add(archive.toString());
        command.addAll(SignedSources.require(AptDistribution.sourceFiles(scratch)));
        return command;
    }

    /** mmdebstrap says what it does in lines that begin with "I: ". */
    private void said(String line) {
        String[] steps = {
            "running apt-get update",
            "downloading",
            "extracting",
            "installing essential",
            "installing remaining",
            "cleaning",
            "creating tarball"
        };
        for (int i = 0; i < steps.length; i++) {
            if (line.startsWith("I: " + steps[i]) && step <= i) {
                step = i + 1;
                progress.step(step, STEPS, line.substring(3).replaceFirst("\\.+$", ""));
            }
        }
    }
}
