package dev.cordon.server.route;

import dev.cordon.server.access.ApiToken;
import dev.cordon.server.access.TokenSecret;
import dev.cordon.server.job.JsonTree;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Tokens as the objects of the API; the command line without a service prints the same. */
public final class TokenJson {
    private TokenJson() {}

    /** A new one, the only time with its secret. */
    public static ObjectNode made(TokenSecret secret, String owner, String role, @Nullable Instant expires) {
        return JsonTree.object()
                .put("id", secret.id())
                .put("object", "token")
                .put("owner", owner)
                .put("role", role)
                .put("expires_at", expires == null ? null : expires.toString())
                .put("token", secret.text());
    }

    /** All of them on one page. */
    public static ObjectNode list(List<ApiToken> tokens) {
        return JsonTree.page(tokens.stream().map(TokenJson::of), null);
    }

    private static ObjectNode of(ApiToken token) {
        return JsonTree.object()
                .put("id", token.id())
                .put("object", "token")
                .put("owner", token.owner())
                .put("role", token.role().label())
                .put("note", token.note())
                .put("created_at", token.created().toString())
                .put(
                        "expires_at",
                        token.expires() == null ? null : token.expires().toString());
    }
}
