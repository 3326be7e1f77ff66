package dev.cordon.server.http;

import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers of Jetty itself, to requests that reach no handler: the same shape as all others, and nothing of what Jetty knows. */
public final class PlainErrors extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        ProblemCode code = switch (response.getStatus()) {
            case 404 -> ProblemCode.NOT_FOUND;
            case 405 -> ProblemCode.METHOD_NOT_ALLOWED;
            case 408 -> ProblemCode.REQUEST_TIMEOUT;
            case 413 -> ProblemCode.PAYLOAD_TOO_LARGE;
            case 415 -> ProblemCode.UNSUPPORTED_MEDIA_TYPE;
            case 431 -> ProblemCode.HEADERS_TOO_LARGE;
            case 500 -> ProblemCode.INTERNAL;
            case 503 -> ProblemCode.DRAINING;
            default -> ProblemCode.INVALID_REQUEST;
        };
        response.setStatus(code.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, HttpAnswers.PROBLEM);
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        if (code.passing()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, HttpAnswers.SOON.toSeconds());
        }
        String id = UUID.randomUUID().toString();
        response.getHeaders().put("X-Request-ID", id);
        byte[] body = JsonTree.text(HttpAnswers.body(RequestProblem.of(code, "the request was not understood"), "", id))
                .getBytes(StandardCharsets.UTF_8);
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }
}
