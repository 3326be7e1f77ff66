package dev.cordon.server;

import dev.cordon.files.IoFaults;
import dev.cordon.json.InvalidRequest;
import dev.cordon.result.Outcome;
import dev.cordon.server.config.ListenAddress;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HeaderDeadline;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.PlainErrors;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RequestGuard;
import dev.cordon.server.http.RequestLoad;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.route.TerminalRoute;
import dev.cordon.server.store.StorageUnavailable;
import dev.cordon.server.stream.EventStream;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.SizeUnit;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Javalin with our routes and nothing of its own: no default port, no static files, no pages of its own making. */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final int MAX_HEADERS = 8 << 10;

    private final Javalin javalin;
    private final HeaderDeadline deadline;

    private HttpServer(Javalin javalin, HeaderDeadline deadline) {
        this.javalin = javalin;
        this.deadline = deadline;
    }

    /** Starts to listen. */
    static HttpServer start(
            RequestGuard guard, List<ApiRoute> routes, TerminalRoute terminal, List<ListenAddress> listeners)
            throws IOException {
        int most = ListenAddress.mostConnections();
        HeaderDeadline deadline = new HeaderDeadline();
        Javalin javalin = Javalin.create(config -> {
            configure(config, guard, routes);
            terminal(config, guard, terminal);
            listeners.forEach(listener -> config.jetty.addConnector((server, http) -> {
                Connector connector = listener.connector(server, http, most);
                connector.addEventListener(deadline);
                return connector;
            }));
        });
        javalin.start();
        return new HttpServer(javalin, deadline);
    }

    private static void configure(JavalinConfig config, RequestGuard guard, List<ApiRoute> routes) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = 0; // handlers read bodies themselves, and count
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.router.treatMultipleSlashesAsSingleSlash = false;
        config.jetty.multipartConfig.maxFileSize(1, SizeUnit.KB); // nobody reads multipart bodies
        config.jetty.multipartConfig.maxTotalRequestSize(1, SizeUnit.KB);
        config.jetty.modifyHttpConfiguration(HttpServer::harden);
        config.jetty.modifyServer(server -> server.setErrorHandler(new PlainErrors()));
        config.jetty.modifyServletContextHandler(handler -> handler.setErrorHandler(new PlainErrors()));
        config.routes.before(guard::enter);
        config.routes.beforeMatched(guard::check);
        config.routes.after(ctx -> {
            RequestFacts.end(ctx);
            MDC.clear();
        });
        for (ApiRoute route : routes) {
            Handler unknown = ctx -> RequestFacts.refuseUnknown(ctx, route.query());
            ApiRoute checked = route.after(unknown);
            config.routes.addHttpHandler(
                    route.method(), route.path(), withoutErrors(checked.handler()), route.access());
            if (route.method().equals(HandlerType.GET)) {
                config.routes.addHttpHandler(
                        HandlerType.HEAD, route.path(), withoutErrors(head(checked)), route.access());
            }
        }
        errors(config);
    }

    /** Answers a HEAD request: the answer to GET without its body, which Jetty leaves out; of a stream there is nothing but that it would begin. */
    private static Handler head(ApiRoute route) {
        return ctx -> {
            if (route.path().endsWith("/events") || EventStream.wanted(ctx)) {
                RequestFacts.refuseUnknown(ctx, route.query());
                ctx.status(200);
            } else {
                route.handler().handle(ctx);
            }
        };
    }

    /** The guard's steps run before the protocol changes: afterwards nobody can be told anything. */
    private static void terminal(JavalinConfig config, RequestGuard guard, TerminalRoute terminal) {
        config.routes.wsBeforeUpgrade(TerminalRoute.PATH, ctx -> {
            guard.enter(ctx);
            try {
                guard.check(ctx, RouteAccess.SUBMIT);
                RequestFacts.refuseUnknown(ctx, Set.of());
                try (RequestLoad.Lease _ = guard.lease(ctx)) { // it may wait for the job
                    terminal.check(ctx);
                }
            } finally {
                RequestFacts.end(ctx); // the terminal opens a session of its own
            }
            MDC.clear();
        });
        config.routes.ws(TerminalRoute.PATH, terminal::configure);
    }

    private static void harden(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(MAX_HEADERS);
        http.setMaxUnconsumedRequestContentReads(16);
    }

    private static void errors(JavalinConfig config) {
        config.routes.exception(RequestProblem.class, (problem, ctx) -> HttpAnswers.problem(ctx, problem));
        config.routes.exception(
                InvalidRequest.class,
                (e, ctx) -> HttpAnswers.problem(ctx, RequestProblem.of(ProblemCode.INVALID_REQUEST, e.errors())));
        config.routes.exception(HttpResponseException.class, (e, ctx) -> HttpAnswers.problem(ctx, known(e)));
        config.routes.exception(StorageUnavailable.class, (e, ctx) -> {
            LOG.warn("storage: {}", e.getMessage());
            HttpAnswers.problem(
                    ctx,
                    RequestProblem.of(
                            ProblemCode.STORAGE_UNAVAILABLE, "the state cannot be read or written; see the log"));
        });
        config.routes.exception(EofException.class, (e, ctx) -> brokenOff(ctx));
        config.routes.exception(Exception.class, HttpServer::unexpected);
    }

    /** Not even a class could be loaded, as without descriptors: who asked hears of it as of everything else. */
    private static Handler withoutErrors(Handler handler) {
        return ctx -> {
            try {
                handler.handle(ctx);
            } catch (Error e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static RequestProblem known(HttpResponseException e) {
        return switch (e.getStatus()) {
            case 404 -> RequestProblem.of(ProblemCode.NOT_FOUND, "GET /openapi.yaml lists the paths");
            case 405 ->
                RequestProblem.of(ProblemCode.METHOD_NOT_ALLOWED, "GET /openapi.yaml lists the methods of each path");
            case 413 -> RequestProblem.of(ProblemCode.PAYLOAD_TOO_LARGE, "send less");
            default -> RequestProblem.of(ProblemCode.INVALID_REQUEST, "the request cannot be understood");
        };
    }

    private static void unexpected(Exception e, Context ctx) {
        if (e instanceof HttpException || e instanceof ClosedChannelException) {
            LOG.info("a request broke off: {}", e.toString());
            brokenOff(ctx);
        } else if (IoFaults.of(e) == Outcome.Fault.DESCRIPTORS) {
            LOG.warn("a request found no descriptors: {}", e.toString());
            HttpAnswers.problem(
                    ctx, RequestProblem.of(ProblemCode.NO_CAPACITY, "the service has no descriptors left; try again"));
        } else if (e instanceof FileSystemException) {
            LOG.error("a request found a file that cannot be read or written", e);
            HttpAnswers.problem(
                    ctx,
                    RequestProblem.of(
                            ProblemCode.STORAGE_UNAVAILABLE, "a file cannot be read or written; see the log"));
        } else {
            LOG.error("a request failed", e);
            HttpAnswers.problem(ctx, RequestProblem.of(ProblemCode.INTERNAL, "the log has more under this request id"));
        }
    }

    /** The client is gone, or its body ended before its end: whoever still listens must not take silence for success. */
    private static void brokenOff(Context ctx) {
        if (ctx.res().isCommitted()) {
            LOG.debug("the client is gone");
            return;
        }
        ctx.header("Connection", "close");
        HttpAnswers.problem(ctx, RequestProblem.of(ProblemCode.INVALID_REQUEST, "the body broke off; send it whole"));
    }

    /** The TCP port; -1 when there is none. */
    public int port() {
        for (Connector connector : javalin.jettyServer().server().getConnectors()) {
            if (connector instanceof ServerConnector tcp) {
                return tcp.getLocalPort();
            }
        }
        return -1;
    }

    @Override
    public void close() {
        javalin.stop();
        deadline.close();
    }
}
