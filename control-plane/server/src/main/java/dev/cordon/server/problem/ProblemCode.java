package dev.cordon.server.problem;

import dev.cordon.result.Outcome;
import java.util.Locale;

/** Every code of an error answer, with its status. Clients switch on codes: they are never renamed. */
public enum ProblemCode {
    /** The request cannot be understood. */
    INVALID_REQUEST(400, "The request cannot be understood", false),
    /** The Host header names another server. */
    UNKNOWN_HOST(400, "The request was meant for another host", false),
    /** No token, or not a valid one. */
    UNAUTHENTICATED(401, "A valid token is needed", false),
    /** The caller's role does not go that far. */
    FORBIDDEN(403, "The caller may not do this", false),
    /** The policy does not allow the job. */
    DENIED(403, "The policy does not allow the job", false),
    /** A path leads out of the workspace. */
    PATH_OUTSIDE_WORKSPACE(403, "The path leads out of the workspace", false),
    /** No such route. */
    NOT_FOUND(404, "There is nothing at this path", false),
    /** No such job of this owner. */
    JOB_NOT_FOUND(404, "There is no such job", false),
    /** No such sandbox of this owner. */
    SANDBOX_NOT_FOUND(404, "There is no such sandbox", false),
    /** No such file in the sandbox. */
    FILE_NOT_FOUND(404, "There is no such file", false),
    /** No such tool. */
    TOOL_NOT_FOUND(404, "There is no such tool", false),
    /** No such collected file. */
    ARTIFACT_NOT_FOUND(404, "There is no such artifact", false),
    /** No such template, or no such build of it. */
    TEMPLATE_NOT_FOUND(404, "There is no such template", false),
    /** No such token. */
    TOKEN_NOT_FOUND(404, "There is no such token", false),
    /** The path is there, but not for this method. */
    METHOD_NOT_ALLOWED(405, "The path does not know this method", false),
    /** The client took too long. */
    REQUEST_TIMEOUT(408, "The request came too slowly", true),
    /** Not in this state. */
    STATE_CONFLICT(409, "The state does not allow it", false),
    /** The first request with this key is not over. */
    IDEMPOTENCY_IN_PROGRESS(409, "The first request with this key is still running", true),
    /** The level asked for cannot be had here. */
    ISOLATION_UNAVAILABLE(409, "The isolation level is not available", false),
    /** The job is not remembered any more. */
    JOB_FORGOTTEN(410, "The job is not remembered any more", false),
    /** The sandbox is over. */
    SANDBOX_EXPIRED(410, "The sandbox is over", false),
    /** Too many bytes. */
    PAYLOAD_TOO_LARGE(413, "The request is too large", false),
    /** Not a content type that this route reads. */
    UNSUPPORTED_MEDIA_TYPE(415, "The content type is not one that this path reads", false),
    /** The key was used for another request. */
    IDEMPOTENCY_KEY_REUSED(422, "The key was used for another request", false),
    /** No such language. */
    UNKNOWN_LANGUAGE(422, "The language is not known", false),
    /** Above the operator's ceiling. */
    LIMIT_ABOVE_MAXIMUM(422, "A limit is above its maximum", false),
    /** Too many requests of one owner. */
    RATE_LIMITED(429, "Too many requests", true),
    /** The queue is full. */
    QUEUE_FULL(429, "The queue is full", true),
    /** The headers are too large. */
    HEADERS_TOO_LARGE(431, "The headers are too large", false),
    /** A mistake of ours. */
    INTERNAL(500, "The service failed", false),
    /** The sandbox could not be made. */
    SANDBOX_ERROR(500, "The sandbox could not be made", false),
    /** What watches over the job was killed; the job may have run in part. */
    SUPERVISOR_LOST(500, "The job's supervisor was lost", false),
    /** This build has no such part. */
    NOT_AVAILABLE(501, "This service does not offer it", false),
    /** The service is about to stop. */
    DRAINING(503, "The service is stopping", true),
    /** The service has no room for it now. */
    NO_CAPACITY(503, "The service has no room for it now", true),
    /** The host lacks something that the job needs. */
    HOST_UNSUPPORTED(503, "The host lacks something that the job needs", false),
    /** The state cannot be written. */
    STORAGE_UNAVAILABLE(503, "The service cannot write its state", true),
    /** Checks of the host fail. */
    NOT_READY(503, "The service is not ready", true);

    private final int status;
    private final String title;
    private final boolean retryable;

    ProblemCode(int status, String title, boolean retryable) {
        this.status = status;
        this.title = title;
        this.retryable = retryable;
    }

    /** For a failure of this kind; the other code for those that nobody tells apart. */
    public static ProblemCode of(Outcome.Fault fault, ProblemCode otherwise) {
        return switch (fault) {
            case AUDIT_LOG -> STORAGE_UNAVAILABLE;
            case DESCRIPTORS -> NO_CAPACITY;
            case SUPERVISOR_LOST -> SUPERVISOR_LOST;
            case OTHER -> otherwise;
        };
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** One sentence, the same for every answer with this code. */
    public String title() {
        return title;
    }

    /** Whether the same request can succeed later. */
    public boolean retryable() {
        return retryable;
    }

    /** Whether the service cannot do it now and can later: such an answer says when to ask again. */
    public boolean passing() {
        return retryable && status == 503;
    }

    /** The name in JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
