package dev.cordon.vm.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the store is complete and sound, or not there. */
final class LayerStoreTest {
    @TempDir
    private Path folder;

    private Path root;
    private LayerStore layers;
    private final AtomicInteger made = new AtomicInteger();

    @BeforeEach
    void open() {
        root = folder.resolve("store");
        layers = new LayerStore(root);
    }

    private LayerStore.Recipe recipe(String text) {
        return (directory, scratch) -> {
            made.incrementAndGet();
            Files.writeString(scratch.resolve("rubbish"), "x");
            Files.writeString(directory.resolve("file"), text);
        };
    }

    private List<String> left() throws IOException {
        try (Stream<Path> entries = Files.list(root)) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void makesALayerOnce() throws IOException {
        Layer first = layers.obtain("thing", "k1", recipe("a"));
        Layer second = layers.obtain("thing", "k1", recipe("b"));
        assertThat(first).isEqualTo(second);
        assertThat(second.file("file")).hasContent("a");
        assertThat(made).hasValue(1);
        assertThat(left()).containsExactly("build.lock", "thing-k1");
    }

    @Test
    void makesADamagedLayerAnew() throws IOException {
        Layer layer = layers.obtain("thing", "k1", recipe("a"));
        Files.writeString(layer.file("file"), "b");
        assertThat(layers.find("thing", "k1")).isEmpty();
        assertThat(layers.obtain("thing", "k1", recipe("a")).file("file")).hasContent("a");
        assertThat(made).hasValue(2);
    }

    @Test
    void missingAndAdditionalFilesAreDamage() throws IOException {
        Layer layer = layers.obtain("thing", "k1", recipe("a"));
        Files.writeString(layer.file("more"), "b");
        assertThat(layers.find("thing", "k1")).isEmpty();
        Files.delete(layer.file("more"));
        assertThat(layers.find("thing", "k1")).isPresent();
        Files.delete(layer.file("file"));
        assertThat(layers.find("thing", "k1")).isEmpty();
    }

    @Test
    void aBuildThatFailsLeavesNothing() throws IOException {
        LayerStore.Recipe failing = (directory, scratch) -> {
            Files.writeString(directory.resolve("half"), "x");
            Files.write(Path.of("/dev/full"), new byte[4096]);
        };
        assertThatThrownBy(() -> layers.obtain("thing", "k1", failing))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left");
        assertThat(left()).containsExactly("build.lock");
        assertThat(layers.obtain("thing", "k1", recipe("a")).file("file")).hasContent("a");
    }

    @Test
    void whatADeadBuilderLeftIsSwept() throws IOException {
        Files.createDirectories(root.resolve("work/layer/deep"));
        Files.writeString(root.resolve("work/layer/deep/half"), "x");
        Files.createSymbolicLink(root.resolve("work/link"), folder);
        Files.writeString(folder.resolve("mine"), "x");
        layers.obtain("thing", "k1", recipe("a"));
        assertThat(left()).containsExactly("build.lock", "thing-k1");
        assertThat(folder.resolve("mine")).exists();
    }

    @Test
    void manyWhoAskAtOnceGetOneBuild() throws Exception {
        Callable<Layer> ask = () -> layers.obtain("thing", "k1", recipe("a"));
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Layer> answer : threads.invokeAll(List.of(ask, ask, ask, ask, ask, ask, ask, ask))) {
                assertThat(answer.get().file("file")).hasContent("a");
            }
        }
        assertThat(made).hasValue(1);
    }

    @Test
    void removes() throws IOException {
        Layer layer = layers.obtain("thing", "k1", recipe("a"));
        layers.remove(layers.list("thing", "k"));
        assertThat(layer.directory()).doesNotExist();
    }
}
