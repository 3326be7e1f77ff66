package dev.cordon.server.route;

import dev.cordon.json.RequestFields;
import dev.cordon.server.access.ApiToken;
import dev.cordon.server.access.Role;
import dev.cordon.server.access.TokenSecret;
import dev.cordon.server.access.TokenSessions;
import dev.cordon.server.http.AdminTrail;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.IdempotentCreations;
import dev.cordon.server.http.RequestBody;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.TokenStore;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tokens: made, listed and ended by administrators. */
public final class TokenRoutes {
    private static final String PATH = "/v1/admin/tokens";
    private static final long SMALL = 4 << 10;
    private static final String ONE = PATH + "/{id}";

    private final TokenStore tokens;
    private final TokenSessions sessions;
    private final JobDesk desk;
    private final AdminTrail trail;
    private final Duration usual;
    private final IdempotentCreations created = new IdempotentCreations();

    /** Serves tokens; {@code usual} is how long a token lasts of which nobody says how long. */
    public TokenRoutes(TokenStore tokens, TokenSessions sessions, JobDesk desk, AdminTrail trail, Duration usual) {
        this.tokens = tokens;
        this.sessions = sessions;
        this.desk = desk;
        this.trail = trail;
        this.usual = usual;
    }

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.post(PATH, RouteAccess.ADMIN, (ApiRoute.Telling) this::create),
                ApiRoute.get(PATH, RouteAccess.ADMIN, this::list),
                ApiRoute.delete(ONE, RouteAccess.ADMIN, (ApiRoute.Telling) this::revoke, "cancel_jobs"));
    }

    private void create(Context ctx) throws IOException {
        RequestBody.requireJson(ctx);
        byte[] body = RequestBody.bytes(ctx, SMALL);
        RequestFields fields = RequestBody.fields(body);
        String owner = fields.text("owner").orElse("");
        String role = fields.text("role").orElse("submit");
        String note = fields.text("note").orElse("");
        Optional<Duration> time = fields.duration(TokenStore.LONGEST, "expires_in", "give a time such as 30d");
        boolean never = fields.flag("never_expires");
        if (never && fields.has("expires_in")) {
            fields.error("never_expires", "true", "contradicts expires_in", "send one of them");
        }
        fields.end();
        Instant expires = never ? null : Instant.now().plus(time.orElse(usual));
        IdempotentCreations.Created made = created.once(ctx, body, () -> {
            TokenSecret secret = create(ctx, owner, role, note, expires);
            ctx.header("Location", "/v1/admin/tokens/" + secret.id());
            HttpAnswers.json(ctx, 201, TokenJson.made(secret, owner, role, expires));
            return secret.id();
        });
        if (made.replayed()) {
            throw RequestProblem.of(
                    ProblemCode.STATE_CONFLICT,
                    "the first request with this key made the token " + made.id()
                            + ", whose secret is shown once and kept nowhere; where that answer was lost, DELETE"
                            + " /v1/admin/tokens/" + made.id() + " and take a new key");
        }
    }

    /** The record has the token's id before anybody has its secret. */
    private TokenSecret create(Context ctx, String owner, String role, String note, @Nullable Instant expires) {
        try {
            return tokens.create(owner, Role.parse(role), note, expires, id -> {
                Map<String, String> details = new LinkedHashMap<>(Map.of("role", role));
                details.put("expires", expires == null ? "never" : expires.toString());
                details.put("note", note);
                trail.record(ctx, "POST " + PATH, id, owner, details);
            });
        } catch (IllegalArgumentException e) {
            throw RequestProblem.of(ProblemCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private void list(Context ctx) throws IOException {
        HttpAnswers.json(ctx, 200, TokenJson.list(tokens.list()));
    }

    /** Everything that the token has open ends with it, but for this very request. */
    private void revoke(Context ctx) {
        String id = ctx.pathParam("id");
        boolean jobs = RequestFacts.flag(ctx, "cancel_jobs", false);
        Optional<ApiToken> token = tokens.named(id);
        String owner = token.map(ApiToken::owner).orElse("");
        trail.record(ctx, "DELETE " + ONE, id, owner, jobs ? Map.of("cancel_jobs", "true") : Map.of());
        if (tokens.isOutside(id)) {
            throw RequestProblem.of(
                    ProblemCode.STATE_CONFLICT,
                    "this token is kept in a file of the operator's; remove the file and reload (POST"
                            + " /v1/admin/reload), or restart where systemd hands the file over");
        }
        if (!tokens.revoke(id)) {
            throw RequestProblem.of(
                    ProblemCode.TOKEN_NOT_FOUND, "there is no token of that id; GET /v1/admin/tokens lists them");
        }
        sessions.revoked(id, RequestFacts.session(ctx));
        if (jobs && token.isPresent()) {
            desk.cancelAll(owner);
        }
        ctx.status(204);
    }
}
