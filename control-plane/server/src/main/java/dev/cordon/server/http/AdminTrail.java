package dev.cordon.server.http;

import dev.cordon.Cordon;
import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditUnavailable;
import dev.cordon.server.access.Role;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.SandboxDesk;
import dev.cordon.server.job.ServedJob;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.JobRow;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what administrators do, before it is done: to the service, and to jobs and sandboxes that are another's. What cannot be
 * written is not done, but for what ends something: a token is revoked and a job cancelled also on a full disk.
 */
public record AdminTrail(Cordon cordon, JobDesk jobs, JobHistory history, SandboxDesk sandboxes) {
    private static final Logger LOG = LoggerFactory.getLogger(AdminTrail.class);
    private static final long PATIENCE_MILLIS = 1000;

    /** Reads that show what is inside of another's sandbox, or came from it. */
    private static final List<String> CONTENTS = List.of("/files", "/archive", "/artifacts/");

    /** This route with a record of everybody who uses it. */
    public ApiRoute watched(ApiRoute route) {
        boolean act =
                !route.method().equals(HandlerType.GET) || CONTENTS.stream().anyMatch(route.path()::contains);
        if (!act || route.toldByItself()) {
            return route;
        }
        if (route.access() == RouteAccess.ADMIN) {
            return route.after(ctx -> record(ctx, route.title(), named(ctx), "", Map.of()));
        }
        return route.path().contains("/{id}") ? route.after(ctx -> others(ctx, route.title())) : route;
    }

    private static String named(Context ctx) {
        return Stream.of("id", "name")
                .map(ctx.pathParamMap()::get)
                .filter(value -> value != null)
                .findFirst()
                .orElse("");
    }

    /** An act on what the path names; recorded when that is another's. */
    public void others(Context ctx, String act) {
        if (RequestFacts.caller(ctx).role() != Role.ADMIN) {
            return;
        }
        String id = ctx.pathParam("id");
        Optional<String> owner = jobs.find(id)
                .map(ServedJob::owner)
                .or(() -> sandboxes.owner(id))
                .or(() -> history.find(id).map(JobRow::owner))
                .filter(whose -> !whose.equals(RequestFacts.caller(ctx).owner()));
        if (owner.isPresent()) {
            String path = ctx.pathParamMap().get("path");
            record(ctx, act, id, owner.get(), path == null ? Map.of() : Map.of("path", path));
        }
    }

    /**
     * Records an act of this request's caller.
     *
     * @throws RequestProblem when it cannot be recorded: it may not be done
     */
    public void record(Context ctx, String act, String object, String owner, Map<String, String> details) {
        String caller = RequestFacts.caller(ctx).name();
        LOG.info("{} does {} to '{}' of '{}'", caller, act, printable(object), owner);
        AuditEvent.Administered event =
                new AuditEvent.Administered(caller, act, object, owner, RequestFacts.id(ctx), details);
        if (ctx.method().equals(HandlerType.DELETE)) {
            boolean _ = cordon.note(event)
                    .completeOnTimeout(false, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
            return;
        }
        try {
            cordon.attest(List.of(event));
        } catch (AuditUnavailable e) {
            throw RequestProblem.of(
                            ProblemCode.STORAGE_UNAVAILABLE,
                            "what an administrator does is recorded first, and the audit log cannot be written; "
                                    + e.remedy())
                    .retryAfter(Duration.ofSeconds(5));
        }
    }

    /** A client chose it. */
    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
