package dev.cordon.server.http;

import dev.cordon.server.job.ScopedLock;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.IdempotentRequest;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What requests with an Idempotency-Key created, by owner and key: the same request creates nothing a second time. Kept for a day and as
 * long as the service runs. A request that failed leaves its key free.
 */
public final class IdempotentCreations {
    private static final long KEPT_NANOS = TimeUnit.HOURS.toNanos(24);
    private static final int MOST_OF_OWNER = 10_000;

    /** Creates something. */
    @FunctionalInterface
    public interface Creation {
        /** Its id. */
        String create() throws IOException;
    }

    /**
     * What there is now.
     *
     * @param id       its id
     * @param replayed whether an earlier request created it
     */
    public record Created(String id, boolean replayed) {}

    private static final class Entry {
        private final String request;
        private final long time = System.nanoTime();
        private @Nullable String id;

        Entry(String request) {
            this.request = request;
        }
    }

    private final ScopedLock lock = new ScopedLock();
    private final Map<String, Map<String, Entry>> owners = new HashMap<>();

    /**
     * Creates it, or tells what the first request with the same key created.
     *
     * @throws RequestProblem when the key was used for another request, or its first is not over
     */
    public Created once(Context ctx, byte[] body, Creation creation) throws IOException {
        Optional<IdempotentRequest.Key> key = IdempotencyKey.of(ctx, body);
        if (key.isEmpty()) {
            return new Created(creation.create(), false);
        }
        String owner = RequestFacts.caller(ctx).owner();
        Entry entry = new Entry(key.get().request());
        Optional<String> known = claim(owner, key.get(), entry);
        if (known.isPresent()) {
            ctx.header("Idempotent-Replayed", "true");
            return new Created(known.get(), true);
        }
        String id = null;
        try {
            id = creation.create();
        } finally {
            settle(owner, key.get(), entry, id);
        }
        return new Created(id, false);
    }

    private Optional<String> claim(String owner, IdempotentRequest.Key key, Entry entry) {
        try (ScopedLock.Held _ = lock.hold()) {
            Map<String, Entry> keys = owners.computeIfAbsent(owner, ignored -> new LinkedHashMap<>());
            keys.values().removeIf(old -> old.id != null && entry.time - old.time > KEPT_NANOS);
            Entry first = keys.get(key.text());
            if (first == null) {
                if (keys.size() >= MOST_OF_OWNER) {
                    throw RequestProblem.of(
                                    ProblemCode.RATE_LIMITED,
                                    owner + " used " + MOST_OF_OWNER
                                            + " keys within 24 h, as many as are remembered; leave the key out")
                            .retryAfter(Duration.ofHours(1));
                }
                keys.put(key.text(), entry);
                return Optional.empty();
            }
            if (!first.request.equals(key.request())) {
                throw IdempotencyKey.reused();
            }
            if (first.id == null) {
                throw RequestProblem.of(
                                ProblemCode.IDEMPOTENCY_IN_PROGRESS,
                                "the first request with this key is not answered yet")
                        .retryAfter(Duration.ofSeconds(1));
            }
            return Optional.of(first.id);
        }
    }

    private void settle(String owner, IdempotentRequest.Key key, Entry entry, @Nullable String id) {
        try (ScopedLock.Held _ = lock.hold()) {
            entry.id = id;
            if (id == null) {
                owners.getOrDefault(owner, new HashMap<>()).remove(key.text());
            }
        }
    }
}
