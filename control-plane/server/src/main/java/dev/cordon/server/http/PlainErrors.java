package dev.cordon.server.http;

import dev.cordon.server.jobs.Json;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers of Jetty itself, to requests that reach no handler: the same shape as all others, and nothing of what Jetty knows. */
final class PlainErrors extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Code code = switch (response.getStatus()) {
            case 404 -> Code.NOT_FOUND;
            case 405 -> Code.METHOD_NOT_ALLOWED;
            case 408 -> Code.REQUEST_TIMEOUT;
            case 413 -> Code.PAYLOAD_TOO_LARGE;
            case 415 -> Code.UNSUPPORTED_MEDIA_TYPE;
            case 431 -> Code.HEADERS_TOO_LARGE;
            case 500 -> Code.INTERNAL;
            case 503 -> Code.DRAINING;
            default -> Code.INVALID_REQUEST;
        };
        response.setStatus(code.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Answers.PROBLEM);
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        if (code.passing()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, Answers.SOON.toSeconds());
        }
        String id = UUID.randomUUID().toString();
        response.getHeaders().put("X-Request-ID", id);
        byte[] body = Json.text(Answers.body(Problem.of(code, "the request was not understood"), "", id))
                .getBytes(StandardCharsets.UTF_8);
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }
}
