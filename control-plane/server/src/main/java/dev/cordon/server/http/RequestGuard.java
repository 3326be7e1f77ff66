package dev.cordon.server.http;

import dev.cordon.server.access.ApiToken;
import dev.cordon.server.access.Caller;
import dev.cordon.server.access.Role;
import dev.cordon.server.access.SocketPeers;
import dev.cordon.server.access.TokenSecret;
import dev.cordon.server.access.TokenSessions;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.store.TokenStore;
import io.javalin.http.Context;
import io.javalin.security.RouteRole;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectableChannelEndPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What every request passes before its handler: headers, the host it was meant for, who sends it, and whether that one may. */
public final class RequestGuard {
    private static final Logger LOG = LoggerFactory.getLogger(RequestGuard.class);
    private static final String BEARER = "bearer ";

    private static final String MAKES =
            "cordon token create makes one, on the service's host as the user that it runs as";

    private final TokenStore tokens;
    private final SocketPeers peers;
    private final Set<String> hosts;
    private final WrongTokens wrong = new WrongTokens();
    private final RequestLoad load;
    private final TokenSessions sessions;

    public RequestGuard(
            TokenStore tokens, TokenSessions sessions, SocketPeers peers, Set<String> hosts, RequestLoad load) {
        this.load = load;
        this.sessions = sessions;
        this.tokens = tokens;
        this.peers = peers;
        this.hosts = Set.copyOf(hosts);
    }

    /** For every path, also one that does not exist. */
    public void enter(Context ctx) throws IOException {
        MDC.put("request", RequestFacts.id(ctx));
        ctx.header("X-Request-ID", RequestFacts.id(ctx));
        ctx.header("X-Content-Type-Options", "nosniff");
        ctx.header("X-Frame-Options", "DENY");
        ctx.header("Referrer-Policy", "no-referrer");
        ctx.header("Cross-Origin-Resource-Policy", "same-origin");
        ctx.header("Cache-Control", "no-store");
        ctx.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        if (ctx.header("X-HTTP-Method-Override") != null) {
            throw RequestProblem.of(
                    ProblemCode.INVALID_REQUEST, "X-HTTP-Method-Override is not read; send the method itself");
        }
        if (unixChannel(ctx).isEmpty() && !hosts.contains(host(ctx))) {
            throw RequestProblem.of(
                    ProblemCode.UNKNOWN_HOST,
                    "the Host header names another server; use one of " + hosts + ", or add yours to server.hosts");
        }
    }

    /** For every route: it says who may, or nobody does. */
    public void check(Context ctx) throws IOException {
        RouteAccess access = null;
        for (RouteRole role : ctx.routeRoles()) {
            access = role instanceof RouteAccess declared ? declared : access;
        }
        if (access == null) {
            throw new IllegalStateException("the route " + ctx.path() + " declares no access");
        }
        check(ctx, access);
        if (access.role().isPresent()) {
            RequestFacts.lease(ctx, lease(ctx));
        }
    }

    /**
     * One more request of its caller.
     *
     * @throws RequestProblem when there are too many
     */
    public RequestLoad.Lease lease(Context ctx) {
        return load.enter(RequestFacts.caller(ctx).owner());
    }

    /** Checks a request that becomes another protocol. */
    public void check(Context ctx, RouteAccess access) throws IOException {
        Optional<Role> asked = access.role();
        if (asked.isPresent()) {
            Caller caller = caller(ctx);
            MDC.put("caller", caller.name());
            if (!caller.role().includes(asked.get())) {
                throw RequestProblem.of(
                        ProblemCode.FORBIDDEN,
                        "this needs the role " + asked.get().label() + ", the caller has "
                                + caller.role().label());
            }
            RequestFacts.caller(ctx, caller);
        }
    }

    private Caller caller(Context ctx) throws IOException {
        String header = ctx.header("Authorization");
        if (header != null) {
            return byToken(ctx, header);
        }
        Optional<SocketChannel> channel = unixChannel(ctx);
        if (channel.isEmpty()) {
            throw RequestProblem.of(ProblemCode.UNAUTHENTICATED, "send Authorization: Bearer TOKEN; " + MAKES);
        }
        Optional<Caller> caller = peers.caller(channel.get());
        if (caller.isEmpty()) {
            LOG.warn("a local user without rights was refused: {}", SocketPeers.name(channel.get()));
            throw RequestProblem.of(
                    ProblemCode.UNAUTHENTICATED,
                    "this local user may not use the socket; send a token, or join the socket's group");
        }
        return caller.get();
    }

    private Caller byToken(Context ctx, String header) {
        Optional<TokenSecret> secret = header.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? TokenSecret.parse(header.substring(BEARER.length()).trim())
                : Optional.empty();
        Optional<ApiToken> token = secret.flatMap(given -> {
            // First the session, then the look: a token that is revoked in between ends it.
            TokenSessions.Session session = sessions.enter(given.id(), endPoint(ctx)::close);
            RequestFacts.session(ctx, session);
            Optional<ApiToken> found = tokens.find(given);
            found.ifPresent(known -> session.until(known.expires()));
            return found;
        });
        if (token.isEmpty() || token.get().expired(Instant.now())) {
            RequestFacts.end(ctx);
            long _ = wrong.seen(unixChannel(ctx).isPresent() ? "the local socket" : ctx.ip());
            throw RequestProblem.of(
                    ProblemCode.UNAUTHENTICATED,
                    token.map(over -> "the token " + over.id() + " expired on " + over.expires()
                                            + "; create a new one: ")
                                    .orElse("the token is not known, or was revoked; ")
                            + MAKES);
        }
        return new Caller(
                "token:" + token.get().id(), token.get().owner(), token.get().role());
    }

    private static EndPoint endPoint(Context ctx) {
        return ServletContextRequest.getServletContextRequest(ctx.req())
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
    }

    /** The socket below a request, when it is a local one. */
    private static Optional<SocketChannel> unixChannel(Context ctx) {
        EndPoint endPoint = endPoint(ctx);
        return endPoint instanceof SelectableChannelEndPoint selectable
                        && selectable.getChannel() instanceof SocketChannel channel
                        && endPoint.getLocalSocketAddress() instanceof UnixDomainSocketAddress
                ? Optional.of(channel)
                : Optional.empty();
    }

    /** The name in the Host header, without a port. */
    private static String host(Context ctx) {
        String header = ctx.header("Host");
        if (header == null) {
            return "";
        }
        int colon = header.lastIndexOf(':');
        boolean port =
                colon > 0 && header.indexOf(']') < colon && (header.startsWith("[") || header.indexOf(':') == colon);
        return (port ? header.substring(0, colon) : header).toLowerCase(Locale.ROOT);
    }
}
