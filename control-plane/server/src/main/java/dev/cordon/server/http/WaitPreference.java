package dev.cordon.server.http;

import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Locale;

/** How long a client wants to wait for an answer: the Prefer header of RFC 7240. */
public final class WaitPreference {
    private WaitPreference() {}

    /** The time to wait, at most the service's own. */
    public static Duration wait(Context ctx, Duration most) {
        String header = ctx.header("Prefer");
        if (header == null) {
            return most;
        }
        Duration wait = most;
        for (String part : header.toLowerCase(Locale.ROOT).split(",", -1)) {
            String preference = part.trim();
            if (preference.equals("respond-async")) {
                wait = Duration.ZERO;
            } else if (preference.startsWith("wait=")) {
                wait = seconds(preference.substring("wait=".length()), most);
            }
        }
        ctx.header("Preference-Applied", wait.isZero() ? "respond-async" : "wait=" + wait.toSeconds());
        return wait;
    }

    private static Duration seconds(String text, Duration most) {
        try {
            long seconds = Long.parseLong(text.trim());
            if (seconds >= 0) {
                return Duration.ofSeconds(Math.min(seconds, most.toSeconds()));
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw RequestProblem.of(ProblemCode.INVALID_REQUEST, "Prefer: wait= takes a number of seconds");
    }
}
