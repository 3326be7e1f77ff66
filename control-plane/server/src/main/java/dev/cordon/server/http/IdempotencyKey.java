package dev.cordon.server.http;

import dev.cordon.audit.file.Sha256Hex;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.IdempotentRequest;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** The Idempotency-Key header. */
public final class IdempotencyKey {
    private IdempotencyKey() {}

    /**
     * The key of a request that creates something for an owner, apart from those of the owner's own where the caller is another.
     *
     * @throws RequestProblem when it is not a key
     */
    public static Optional<IdempotentRequest.Key> of(Context ctx, byte[] body, String owner) {
        String caller = RequestFacts.caller(ctx).owner();
        return of(ctx, body)
                .map(key -> caller.equals(owner)
                        ? key
                        : new IdempotentRequest.Key(
                                caller + " " + key.text(), key.request())); // no client's key has a blank
    }

    /**
     * The key of a request; empty when it has none.
     *
     * @throws RequestProblem when it is not a key
     */
    static Optional<IdempotentRequest.Key> of(Context ctx, byte[] body) {
        String key = ctx.header("Idempotency-Key");
        if (key == null) {
            return Optional.empty();
        }
        if (key.isEmpty() || key.length() > 128 || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST, "an Idempotency-Key has 1 to 128 printable characters without blanks");
        }
        return Optional.of(new IdempotentRequest.Key(key, digest(ctx.path(), body)));
    }

    public static RequestProblem reused() {
        return RequestProblem.of(ProblemCode.IDEMPOTENCY_KEY_REUSED, "take a new key for a new request");
    }

    private static String digest(String path, byte[] body) {
        MessageDigest digest = Sha256Hex.digest();
        digest.update(path.getBytes(StandardCharsets.UTF_8));
        digest.update(body);
        return Sha256Hex.end(digest);
    }
}
