package dev.cordon.server.http;

import dev.cordon.result.FileEntry;
import dev.cordon.server.access.Caller;
import dev.cordon.server.access.TokenSessions;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import io.javalin.http.Context;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the guard found out about a request. */
public final class RequestFacts {
    private static final String ID = "cordon.request";
    private static final String CALLER = "cordon.caller";
    private static final String LEASE = "cordon.lease";
    private static final String SESSION = "cordon.session";
    private static final int SHOWN = 64;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private RequestFacts() {}

    /** The client's X-Request-ID where it is harmless, else one of our own. */
    static String id(Context ctx) {
        String known = ctx.attribute(ID);
        if (known != null) {
            return known;
        }
        String given = ctx.header("X-Request-ID");
        String id = given != null && PLAIN.matcher(given).matches()
                ? given
                : UUID.randomUUID().toString();
        ctx.attribute(ID, id);
        return id;
    }

    static void caller(Context ctx, Caller caller) {
        ctx.attribute(CALLER, caller);
    }

    public static Caller caller(Context ctx) {
        Caller caller = ctx.attribute(CALLER);
        if (caller == null) {
            throw new IllegalStateException("a handler of a public route asked who calls");
        }
        return caller;
    }

    static void session(Context ctx, TokenSessions.Session session) {
        ctx.attribute(SESSION, session);
    }

    /** What the request is to its token; null when it came without one. */
    public static TokenSessions.@Nullable Session session(Context ctx) {
        return ctx.attribute(SESSION);
    }

    /**
     * A body may take long to come: what its sender was allowed when it began is looked at again before anything is done with it.
     *
     * @throws RequestProblem when the token is over
     */
    static void refuseOver(Context ctx) {
        TokenSessions.Session session = session(ctx);
        if (session != null && session.over()) {
            throw RequestProblem.of(
                    ProblemCode.UNAUTHENTICATED, "the token was revoked, or its time was up, while the body came");
        }
    }

    static void lease(Context ctx, RequestLoad.Lease lease) {
        ctx.attribute(LEASE, lease);
    }

    /** What the request takes; it ends with it. */
    public static RequestLoad.Lease lease(Context ctx) {
        RequestLoad.Lease lease = ctx.attribute(LEASE);
        if (lease == null) {
            throw new IllegalStateException("a handler of a public route reads a body");
        }
        return lease;
    }

    /** Nothing of the request's body is in memory any more. */
    static void forget(Context ctx) {
        RequestLoad.Lease lease = ctx.attribute(LEASE);
        if (lease != null) {
            lease.handOver().run();
        }
    }

    /** The request is over. */
    public static void end(Context ctx) {
        RequestLoad.Lease lease = ctx.attribute(LEASE);
        if (lease != null) {
            lease.close();
        }
        TokenSessions.Session session = session(ctx);
        if (session != null) {
            session.close();
        }
    }

    /**
     * A query parameter that nobody reads is a mistake of the client's, who would take the answer for what it asked.
     *
     * @throws RequestProblem that names it
     */
    public static void refuseUnknown(Context ctx, Set<String> known) {
        Set<String> names;
        try {
            names = ctx.queryParamMap().keySet();
        } catch (IllegalArgumentException e) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST, "the query is not percent-encoded; write % itself as %25");
        }
        for (String name : names) {
            if (!known.contains(name)) {
                throw RequestProblem.of(
                        ProblemCode.INVALID_REQUEST,
                        "there is no query parameter '" + shown(name) + "' here; "
                                + (known.isEmpty()
                                        ? "this path reads none"
                                        : "this path reads " + String.join(", ", new TreeSet<>(known))));
            }
        }
    }

    private static String shown(String name) {
        return FileEntry.display(name.length() > SHOWN ? name.substring(0, SHOWN) + "..." : name);
    }

    /**
     * A number in the query.
     *
     * @throws RequestProblem when it is none, or not within its bounds
     */
    public static long number(Context ctx, String name, long otherwise, long least, long most) {
        String text = ctx.queryParam(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw RequestProblem.of(
                ProblemCode.INVALID_REQUEST,
                "the parameter " + name + " is not a number from " + least + " "
                        + (most == Long.MAX_VALUE ? "on" : "to " + most));
    }

    /**
     * A truth value in the query.
     *
     * @throws RequestProblem when it is none
     */
    public static boolean flag(Context ctx, String name, boolean otherwise) {
        String text = ctx.queryParam(name);
        if (text == null) {
            return otherwise;
        }
        if (!text.equals("true") && !text.equals("false")) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST, "the parameter " + name + " is neither true nor false");
        }
        return text.equals("true");
    }
}
