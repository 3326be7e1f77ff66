package dev.cordon.vm.image;

import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.ImageProblem;
import dev.cordon.vm.layer.LayerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Imports an archive into a store, and tells what came of it and what is there afterwards; for a test that mounts a small disk. */
final class FullDisk {
    private FullDisk() {}

    public static void main(String[] arguments) throws IOException {
        Path store = Path.of(arguments[0]);
        Images images = new Images(new LayerStore(store), store.resolve("descriptions"), BuildProgress.silent());
        try {
            images.importArchive("large", Path.of(arguments[1]));
            System.out.println("imported");
        } catch (ImageProblem e) {
            System.out.println("problem: " + e.problem());
            System.out.println("remedy: " + e.remedy());
        }
        try (Stream<Path> entries = Files.list(store)) {
            List<String> left = entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
            System.out.println("left: " + left);
        }
    }
}
