package dev.cordon.vm.layer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store of finished layers:
 *
 * <pre>
 *   KIND-KEY/   a layer, named by the hash of what it was made from
 *   work/       what is being made; belongs to whoever holds build.lock
 *   build.lock  one builder at a time, on the whole machine
 * </pre>
 *
 * A layer is made in {@code work} and renamed when it is complete and on the disk, so an interrupted build, or one that ran out of disk,
 * leaves nothing but rubbish that the next one sweeps.
 */
public final class LayerStore {
    /** Makes the files of a layer. */
    @FunctionalInterface
    public interface Recipe {
        /** Fills an empty directory; {@code scratch} is for what is not kept. */
        void make(Path directory, Path scratch) throws IOException;
    }

    /** File locks are held by the whole process: this one keeps its threads apart. */
    private static final ReentrantLock BUILDERS = new ReentrantLock();

    /** A disk with less is called full. */
    private static final long LEAST_ROOM = 1 << 20;

    private final Path root;

    /** A store below this directory. */
    public LayerStore(Path root) {
        this.root = root;
    }

    /** The layer, when it is there and sound. */
    public Optional<Layer> find(String kind, String key) {
        Layer layer = at(kind, key);
        return Files.isDirectory(layer.directory()) && layer.sound() ? Optional.of(layer) : Optional.empty();
    }

    /** Whether there is such a layer, sound or not. */
    public boolean has(String kind, String key) {
        return Files.isDirectory(at(kind, key).directory());
    }

    /** The layer, made first when it is missing or damaged. */
    public Layer obtain(String kind, String key, Recipe recipe) throws IOException {
        Optional<Layer> found = find(kind, key);
        if (found.isPresent()) {
            return found.get();
        }
        return locked(() -> {
            // Another builder may have been faster.
            Optional<Layer> meanwhile = find(kind, key);
            return meanwhile.isPresent() ? meanwhile.get() : make(kind, key, recipe);
        });
    }

    /** Makes the layer anew, also when it is there. */
    public Layer renew(String kind, String key, Recipe recipe) throws IOException {
        return locked(() -> make(kind, key, recipe));
    }

    /** The layers of a kind whose key begins so. */
    public List<Layer> list(String kind, String prefix) throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(root)) {
            return entries.filter(entry -> String.valueOf(entry.getFileName()).startsWith(kind + "-" + prefix))
                    .sorted()
                    .map(Layer::new)
                    .toList();
        }
    }

    /** Removes layers; machines that use their files keep them open. */
    public void remove(List<Layer> layers) throws IOException {
        locked(() -> {
            for (Layer layer : layers) {
                discard(layer.directory());
            }
            return layers.size();
        });
    }

    private Layer at(String kind, String key) {
        if (!key.matches("[a-z0-9][a-z0-9.-]{0,127}")) {
            throw new IllegalArgumentException("no key of a layer: " + key);
        }
        return new Layer(root.resolve(kind + "-" + key));
    }

    private Layer make(String kind, String key, Recipe recipe) throws IOException {
        Layer target = at(kind, key);
        Path work = root.resolve("work");
        delete(work);
        Path fresh = Files.createDirectories(work.resolve("layer"));
        Path scratch = Files.createDirectory(work.resolve("scratch"));
        try {
            recipe.make(fresh, scratch);
            new Layer(fresh).seal();
            discard(target.directory());
            Files.move(fresh, target.directory(), StandardCopyOption.ATOMIC_MOVE);
            Layer.sync(root);
            return target;
        } catch (IOException e) {
            throw full() ? noRoom(e) : e;
        } finally {
            delete(work);
        }
    }

    /** Asked while what was written is still there. */
    private boolean full() throws IOException {
        return Files.getFileStore(root).getUsableSpace() < LEAST_ROOM;
    }

    private ImageProblem noRoom(IOException problem) {
        return new ImageProblem(
                "the disk that holds " + root + " is full: " + problem.getMessage(),
                "make room there: an image takes about 1 GiB while it is built; or name another place with paths.state",
                problem);
    }

    /** Out of sight in one step, then gone: a half-deleted layer is never taken for one. */
    private void discard(Path layer) throws IOException {
        if (Files.exists(layer)) {
            Path away = Files.createDirectories(root.resolve("work")).resolve("discarded-" + layer.getFileName());
            delete(away);
            Files.move(layer, away, StandardCopyOption.ATOMIC_MOVE);
            delete(away);
        }
    }

    /** Something that is done by one builder at a time. */
    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T locked(Work<T> work) throws IOException {
        Files.createDirectories(
                root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        BUILDERS.lock();
        try (FileChannel channel = FileChannel.open(
                        root.resolve("build.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (!lock.isValid()) {
                throw new IOException(root + " cannot be locked");
            }
            return work.run();
        } finally {
            BUILDERS.unlock();
        }
    }

    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
