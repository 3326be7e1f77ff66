package dev.cordon.server.http;

import dev.cordon.job.JobId;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a client wants of a list: the same words for every list. */
public final class ListQuery {
    private static final int PAGE = 100;
    private static final int USUAL = 20;

    private ListQuery() {}

    public static int limit(Context ctx) {
        return (int) RequestFacts.number(ctx, "limit", USUAL, 1, PAGE);
    }

    public static @Nullable String state(Context ctx, Set<String> known) {
        String state = ctx.queryParam("state");
        if (state != null && !known.contains(state)) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST,
                    "state is one of " + known.stream().sorted().toList());
        }
        return state;
    }

    public static Map<String, String> labels(Context ctx) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String label : ctx.queryParams("label")) {
            int equals = label.indexOf('=');
            if (equals < 1) {
                throw RequestProblem.of(ProblemCode.INVALID_REQUEST, "label is written name=value");
            }
            labels.put(label.substring(0, equals), label.substring(equals + 1));
        }
        return labels;
    }

    public static @Nullable Instant since(Context ctx) {
        String text = ctx.queryParam("since");
        try {
            return text == null
                    ? null
                    : Instant.ofEpochMilli(Instant.parse(text).toEpochMilli());
        } catch (DateTimeParseException
                | ArithmeticException e) { // milliseconds do not reach the last years that are read
            throw RequestProblem.of(ProblemCode.INVALID_REQUEST, "since is a time such as 2026-01-31T12:00:00Z");
        }
    }

    public static String encoded(String id) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(id.getBytes(StandardCharsets.US_ASCII));
    }

    public static @Nullable String cursor(Context ctx) {
        String text = ctx.queryParam("cursor");
        try {
            return text == null
                    ? null
                    : new JobId(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII)).value();
        } catch (IllegalArgumentException e) {
            throw RequestProblem.of(ProblemCode.INVALID_REQUEST, "cursor is what next_cursor said");
        }
    }
}
