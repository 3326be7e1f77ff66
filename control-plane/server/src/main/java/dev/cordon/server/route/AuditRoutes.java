package dev.cordon.server.route;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.audit.verify.VerificationJson;
import dev.cordon.config.AuditSettings;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.stream.AuditStream;
import dev.cordon.server.stream.EventStream;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The audit log, for administrators: pages of it in its own order, and whether its chain holds. */
public record AuditRoutes(AuditSettings settings) {
    private static final long MOST = 100;
    private static final long MOST_LAST = 10_000;
    private static final long USUAL = 20;

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get(
                        "/v1/admin/audit",
                        RouteAccess.ADMIN,
                        this::list,
                        "job",
                        "owner",
                        "kind",
                        "limit",
                        "cursor",
                        "last"),
                ApiRoute.get("/v1/admin/audit/verification", RouteAccess.ADMIN, this::verify, "head"));
    }

    private AuditReader reader() {
        AuditReader reader = new AuditReader(settings.directory());
        if (!reader.exists()) {
            throw RequestProblem.of(
                    ProblemCode.STATE_CONFLICT,
                    settings.enabled()
                            ? "there is no audit log yet; it begins with the first job"
                            : "there is no audit log; set audit.enabled = true");
        }
        return reader;
    }

    /** Of a page only the records that are asked for are kept; the cursor is the sequence number of the last one. */
    private void list(Context ctx) throws IOException, InterruptedException {
        if (EventStream.serverSentWanted(ctx)) {
            AuditStream.send(ctx, settings.directory(), wanted(ctx));
            return;
        }
        long after = RequestFacts.number(ctx, "cursor", 0, 0, Long.MAX_VALUE);
        long most = RequestFacts.number(ctx, "limit", USUAL, 1, MOST);
        Predicate<AuditRecord> wanted = wanted(ctx);
        long last = RequestFacts.number(ctx, "last", 0, 1, MOST_LAST);
        if (last > 0) {
            HttpAnswers.json(ctx, 200, page(reader().last((int) last, wanted), null));
            return;
        }
        List<AuditRecord> page = new ArrayList<>();
        reader().read(record -> {
            if (record.sequence() > after && wanted.test(record)) {
                page.add(record);
            }
            return page.size() <= most;
        });
        boolean more = page.size() > most;
        List<AuditRecord> shown = more ? page.subList(0, (int) most) : page;
        HttpAnswers.json(
                ctx, 200, page(shown, more ? Long.toString(shown.getLast().sequence()) : null));
    }

    private static ObjectNode page(List<AuditRecord> records, @Nullable String next) {
        return JsonTree.page(records.stream().map(AuditRoutes::read), next);
    }

    /** A line that is damaged is told, like any other: the verification says what that means. */
    private static JsonNode read(AuditRecord record) {
        try {
            return JsonTree.read(record.line());
        } catch (JacksonException e) {
            return JsonTree.object().put("damaged", record.line());
        }
    }

    private static Predicate<AuditRecord> wanted(Context ctx) {
        String job = ctx.queryParam("job");
        String owner = ctx.queryParam("owner");
        String kind = ctx.queryParam("kind");
        return record ->
                matches(record, "job", job) && matches(record, "owner", owner) && matches(record, "kind", kind);
    }

    private static boolean matches(AuditRecord record, String member, @Nullable String wanted) {
        return wanted == null || record.text(member).equals(wanted);
    }

    private void verify(Context ctx) throws IOException {
        List<LogVerifier.Anchor> anchors = new ArrayList<>();
        for (String head : ctx.queryParams("head")) {
            try {
                anchors.add(LogVerifier.Anchor.parse(head));
            } catch (IllegalArgumentException e) {
                throw RequestProblem.of(ProblemCode.INVALID_REQUEST, "head: " + e.getMessage());
            }
        }
        reader();
        HttpAnswers.json(ctx, 200, VerificationJson.of(LogVerifier.verify(settings.directory(), anchors)));
    }
}
