package dev.cordon.vm;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The templates in memory, those that were used last. Who asks for one that another is loading waits for that one alone. */
final class HeldTemplates implements AutoCloseable {
    /** Loads a template, making it first if need be. */
    @FunctionalInterface
    interface Loading {
        MachineTemplate load() throws IOException;
    }

    /** Each takes what its guest had touched, some 100 MiB. */
    private static final int MOST = 4;

    private final Map<String, CompletableFuture<MachineTemplate>> held = new LinkedHashMap<>(16, 0.75f, true);

    /** The template of a key, for the caller to close. */
    MachineTemplate share(String key, Loading loading) throws IOException {
        while (true) {
            CompletableFuture<MachineTemplate> mine = new CompletableFuture<>();
            CompletableFuture<MachineTemplate> others;
            synchronized (held) {
                others = held.putIfAbsent(key, mine);
            }
            if (others == null) {
                load(key, loading, mine);
            }
            Optional<MachineTemplate> shared =
                    await(others == null ? mine : others).share();
            if (shared.isPresent()) {
                return shared.get();
            }
        }
    }

    private void load(String key, Loading loading, CompletableFuture<MachineTemplate> loaded) throws IOException {
        try {
            loaded.complete(loading.load());
            dropEldest();
        } catch (IOException | RuntimeException | Error e) {
            synchronized (held) {
                held.remove(key, loaded);
            }
            loaded.completeExceptionally(e);
            throw e;
        }
    }

    private static MachineTemplate await(CompletableFuture<MachineTemplate> loaded) throws IOException {
        try {
            return loaded.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException problem ? problem : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a template was made");
        }
    }

    private void dropEldest() {
        synchronized (held) {
            while (held.size() > MOST) {
                drop(held.keySet().iterator().next());
            }
        }
    }

    boolean has(String key) {
        synchronized (held) {
            return held.containsKey(key);
        }
    }

    /** Lets a template go; whoever shares it keeps it, and who waits for it gets it. */
    void drop(String key) {
        CompletableFuture<MachineTemplate> dropped;
        synchronized (held) {
            dropped = held.remove(key);
        }
        if (dropped != null) {
            var _ = dropped.thenAccept(MachineTemplate::close);
        }
    }

    @Override
    public void close() {
        synchronized (held) {
            Map.copyOf(held).keySet().forEach(this::drop);
        }
    }
}
