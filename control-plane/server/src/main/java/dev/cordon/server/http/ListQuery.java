package dev.cordon.server.http;

import dev.cordon.api.JobId;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
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
final class ListQuery {
    private static final int PAGE = 100;
    private static final int USUAL = 20;

    private ListQuery() {}

    static int limit(Context ctx) {
        return (int) Requests.number(ctx, "limit", USUAL, 1, PAGE);
    }

    static @Nullable String state(Context ctx, Set<String> known) {
        String state = ctx.queryParam("state");
        if (state != null && !known.contains(state)) {
            throw Problem.of(
                    Code.INVALID_REQUEST,
                    "state is one of " + known.stream().sorted().toList());
        }
        return state;
    }

    static Map<String, String> labels(Context ctx) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String label : ctx.queryParams("label")) {
            int equals = label.indexOf('=');
            if (equals < 1) {
                throw Problem.of(Code.INVALID_REQUEST, "label is written name=value");
            }
            labels.put(label.substring(0, equals), label.substring(equals + 1));
        }
        return labels;
    }

    static @Nullable Instant since(Context ctx) {
        String text = ctx.queryParam("since");
        try {
            return text == null
                    ? null
                    : Instant.ofEpochMilli(Instant.parse(text).toEpochMilli());
        } catch (DateTimeParseException
                | ArithmeticException e) { // milliseconds do not reach the last years that are read
            throw Problem.of(Code.INVALID_REQUEST, "since is a time such as 2026-01-31T12:00:00Z");
        }
    }

    static String encoded(String id) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(id.getBytes(StandardCharsets.US_ASCII));
    }

    static @Nullable String cursor(Context ctx) {
        String text = ctx.queryParam("cursor");
        try {
            return text == null
                    ? null
                    : new JobId(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII)).value();
        } catch (IllegalArgumentException e) {
            throw Problem.of(Code.INVALID_REQUEST, "cursor is what next_cursor said");
        }
    }
}
