package dev.cordon.server.http;

import dev.cordon.json.JsonMistake;
import dev.cordon.json.RequestFields;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads request bodies, never more than allowed: what a header promises is not believed, the bytes are counted. */
public final class RequestBody {
    private static final int PIECE = 16 << 10;
    private static final long MOST_DISCARDED = 8 << 20;
    private static final Duration DISCARDING = Duration.ofSeconds(10);
    private static final long PATIENCE_SECONDS = 20;
    private static final long LEAST_BYTES_PER_SECOND = 10_000;

    private RequestBody() {}

    /** Takes a body piece by piece. */
    @FunctionalInterface
    public interface Sink {
        /** Takes the first bytes of a buffer that is filled again afterwards. */
        void take(byte[] buffer, int count) throws IOException;
    }

    /** The whole body. */
    public static byte[] bytes(Context ctx, long most) throws IOException {
        RequestLoad.Lease lease = RequestFacts.lease(ctx);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        read(ctx, most, (buffer, count) -> {
            lease.grow(count);
            bytes.write(buffer, 0, count);
        });
        return bytes.toByteArray();
    }

    /** Hands the body on as it comes. The time that the sink takes is not the sender's. */
    public static void read(Context ctx, long most, Sink sink) throws IOException {
        String encoding = ctx.header("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw RequestProblem.of(
                    ProblemCode.UNSUPPORTED_MEDIA_TYPE, "compressed bodies are not read; send it as it is");
        }
        if (ctx.req().getContentLengthLong() > most) {
            throw tooLarge(most);
        }
        long began = System.nanoTime();
        long received = 0;
        byte[] piece = new byte[PIECE];
        InputStream body = ctx.req().getInputStream(); // left open: a refusal reads what is left
        for (int count = next(body, piece); count >= 0; count = next(body, piece)) {
            received += count;
            if (received > most) {
                throw tooLarge(most);
            }
            requireSpeed(began, received);
            long taken = System.nanoTime();
            sink.take(piece, count);
            began += System.nanoTime() - taken;
        }
        RequestFacts.refuseOver(ctx);
    }

    private static int next(InputStream body, byte[] piece) throws IOException {
        try {
            return body.read(piece);
        } catch (IOException e) {
            throw brokenOff(e);
        }
    }

    /** What to answer, where that is possible, to a body that cannot be read on. */
    static RequestProblem brokenOff(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException || (cause instanceof HttpException http && http.getCode() == 408)) {
                return RequestProblem.of(ProblemCode.REQUEST_TIMEOUT, "send the body faster");
            }
        }
        return RequestProblem.of(ProblemCode.INVALID_REQUEST, "the body broke off; send it whole");
    }

    /**
     * Before a refusal: reads what is left of a body, so that its sender hears why. A connection that is closed with bytes unread is
     * reset, and the answer may be lost with it; whoever sends too much, or for too long, is told not to use the connection again.
     */
    static void settle(Context ctx) {
        if (ctx.req().getContentLengthLong() > MOST_DISCARDED || !discarded(ctx)) {
            ctx.header("Connection", "close");
        }
    }

    private static boolean discarded(Context ctx) {
        byte[] piece = new byte[PIECE];
        long began = System.nanoTime();
        long received = 0;
        try {
            InputStream body = ctx.req().getInputStream();
            for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
                received += count;
                if (received > MOST_DISCARDED || System.nanoTime() - began > DISCARDING.toNanos()) {
                    return false;
                }
            }
            return true;
        } catch (IOException | IllegalStateException e) {
            return false;
        }
    }

    /** Whoever sends a byte now and then keeps a connection, but not for ever. */
    static void requireSpeed(long began, long received) {
        long seconds = (System.nanoTime() - began) / 1_000_000_000L;
        if (seconds > PATIENCE_SECONDS + received / LEAST_BYTES_PER_SECOND) {
            throw RequestProblem.of(
                    ProblemCode.REQUEST_TIMEOUT,
                    "the body took " + seconds + " s for " + received + " bytes; send it faster");
        }
    }

    /** A JSON object; a form of a foreign page cannot send one. */
    public static RequestFields json(Context ctx, long most) throws IOException {
        requireJson(ctx);
        return fields(bytes(ctx, most));
    }

    public static void requireJson(Context ctx) {
        String type = ctx.contentType();
        if (type == null
                || !type.toLowerCase(Locale.ROOT).split(";", 2)[0].trim().equals("application/json")) {
            throw RequestProblem.of(
                    ProblemCode.UNSUPPORTED_MEDIA_TYPE, "send the body with Content-Type: application/json");
        }
    }

    public static RequestFields fields(byte[] bytes) {
        JsonNode node;
        try {
            node = JsonTree.read(bytes);
        } catch (JacksonException e) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST,
                    "the body is not JSON that this service reads: " + JsonMistake.of(e)
                            + "; send one object, at most 32 levels deep, with no name twice");
        }
        if (!node.isObject()) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST,
                    node.isMissingNode()
                            ? "the body is empty; send one JSON object"
                            : "the body is JSON, but no object; send one JSON object");
        }
        return new RequestFields(node);
    }

    private static RequestProblem tooLarge(long most) {
        return RequestProblem.of(
                ProblemCode.PAYLOAD_TOO_LARGE,
                "the body is larger than " + most + " bytes; send less, or files one by one");
    }
}
