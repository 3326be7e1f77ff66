package dev.cordon.doctor;

import dev.cordon.cgroup.DetectionView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that stands for a host's root. */
final class FakeHost {

    private final Path root;

    FakeHost(Path root) {
        this.root = root;
    }

    FakeHost file(String path, String content) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }

    FakeHost program(String path) throws IOException {
        file(path, "#!/bin/sh\necho QEMU emulator version 7.2.22 '(Debian 1:7.2)'\n");
        root.resolve(path.substring(1)).toFile().setExecutable(true);
        return this;
    }

    HostFiles files() {
        return new HostFiles(root);
    }

    DetectionView view() {
        return new DetectionView(root, Files::isWritable, cgroup -> false);
    }
}
