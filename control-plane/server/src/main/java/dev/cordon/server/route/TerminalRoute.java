package dev.cordon.server.route;

import dev.cordon.RunningJob;
import dev.cordon.server.access.TokenSessions;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.job.ServedJob;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import io.javalin.http.Context;
import io.javalin.websocket.WsBinaryMessageContext;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsConnectContext;
import io.javalin.websocket.WsContext;
import io.javalin.websocket.WsMessageContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The terminal of a job that was submitted with {@code tty}: a WebSocket whose binary messages are what is typed and what is shown, and
 * whose text messages tell the size, as {@code {"rows":24,"columns":80}}. One client at a time; when it leaves, or its token is over, the
 * job is cancelled.
 */
public final class TerminalRoute {
    public static final String PATH = "/v1/jobs/{id}/tty";
    static final int LARGEST = 64 << 10;
    static final Duration IDLE = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(TerminalRoute.class);
    private static final Duration START = Duration.ofSeconds(30);
    private static final int PIECE = 16 << 10;
    private static final int NORMAL = 1000;
    private static final int WRONG = 1008;
    private static final int MOST_CELLS = 10_000;
    private static final String JOB = "cordon.tty.job";
    private static final String SESSION = "cordon.tty.session";
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final JobDesk desk;
    private final TokenSessions sessions;
    private final BiConsumer<Context, String> attached;
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    /** Serves terminals; {@code attached} is told who sits down at one, and of what that is an act. */
    public TerminalRoute(JobDesk desk, TokenSessions sessions, BiConsumer<Context, String> attached) {
        this.desk = desk;
        this.sessions = sessions;
        this.attached = attached;
    }

    /** The path for requests without an upgrade. */
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(PATH, RouteAccess.SUBMIT, ctx -> {
            throw RequestProblem.of(ProblemCode.INVALID_REQUEST, "this is a WebSocket: send Upgrade: websocket");
        }));
    }

    /** What is checked before the protocol changes; afterwards there is no answer that says why. */
    public void check(Context ctx) throws InterruptedException {
        String origin = ctx.header("Origin");
        if (origin != null && !sameHost(origin, ctx.header("Host"))) {
            throw RequestProblem.of(ProblemCode.FORBIDDEN, "pages of another origin may not open a terminal");
        }
        ServedJob job = JobAnswers.held(ctx, desk).orElseThrow(() -> JobAnswers.notFound(JobAnswers.id(ctx)));
        if (!job.terminal()) {
            throw RequestProblem.of(ProblemCode.STATE_CONFLICT, "the job was submitted without tty");
        }
        if (job.awaitRunning(START).isEmpty()) {
            throw RequestProblem.of(ProblemCode.STATE_CONFLICT, "the job does not run now");
        }
        if (taken.contains(job.id().value())) {
            throw RequestProblem.of(ProblemCode.STATE_CONFLICT, "somebody sits at this terminal already");
        }
        attached.accept(ctx, "GET " + PATH);
        ctx.attribute(JOB, job);
        ctx.attribute(SESSION, RequestFacts.session(ctx));
    }

    private static boolean sameHost(String origin, @Nullable String host) {
        try {
            return host != null && host.equalsIgnoreCase(new URI(origin).getRawAuthority());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    public void configure(WsConfig socket) {
        socket.onConnect(this::connected);
        socket.onBinaryMessage(this::typed);
        socket.onMessage(this::resized);
        socket.onClose(this::left);
        socket.onError(this::left);
    }

    private static Optional<RunningJob> running(WsContext socket) {
        ServedJob job = socket.attribute(JOB);
        return job == null ? Optional.empty() : job.running();
    }

    private void connected(WsConnectContext socket) {
        ServedJob job = socket.attribute(JOB);
        if (job == null || !taken.add(job.id().value())) {
            socket.attribute(JOB, null); // what happens to this client is not a matter of the job
            socket.closeSession(WRONG, "somebody sits at this terminal already");
            return;
        }
        if (!enter(socket, job)) {
            return;
        }
        socket.session.setIdleTimeout(IDLE);
        socket.session.setMaxBinaryMessageSize(LARGEST);
        socket.session.setMaxTextMessageSize(LARGEST);
        Optional<RunningJob> running = running(socket);
        if (running.isEmpty()) {
            socket.closeSession(NORMAL, "the job is over");
            return;
        }
        Thread.ofVirtual()
                .name("cordon-tty")
                .start(() -> show(socket, running.get().stdout()));
    }

    /** The token may have ended since the request was checked: the session first, then another look. */
    private boolean enter(WsConnectContext socket, ServedJob job) {
        TokenSessions.Session asked = socket.attribute(SESSION);
        if (asked == null) {
            return true; // a local user's
        }
        TokenSessions.Session session = sessions.enter(asked, () -> end(socket, job));
        socket.attribute(SESSION, session);
        if (sessions.stands(session.id()) && !session.over()) {
            return true;
        }
        session.close();
        end(socket, job);
        return false;
    }

    /** The job first: it hears nothing more, whether or not the client goes when it is told. */
    private void end(WsContext socket, ServedJob job) {
        desk.cancel(job);
        CompletableFuture<Void> told = new CompletableFuture<>();
        socket.session.close(
                WRONG, "the token is over", Callback.from(() -> told.complete(null), told::completeExceptionally));
        CompletableFuture<Void> _ = told.orTimeout(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((_, _) -> socket.session.disconnect());
    }

    /** Each piece is sent before the next is read: a client that does not read holds the job, not our memory. */
    private static void show(WsContext socket, InputStream screen) {
        byte[] piece = new byte[PIECE];
        try (screen) {
            int got = screen.read(piece);
            while (got >= 0) {
                Callback.Completable sent = new Callback.Completable();
                socket.session.sendBinary(ByteBuffer.wrap(Arrays.copyOf(piece, got)), sent);
                sent.join();
                got = screen.read(piece);
            }
            if (!over(socket)) { // otherwise it is told why the job ended
                socket.closeSession(NORMAL, "the job is over");
            }
        } catch (IOException | RuntimeException gone) {
            LOG.debug("a terminal's client is gone: {}", gone.toString());
        }
    }

    private static boolean over(WsContext socket) {
        TokenSessions.Session session = socket.attribute(SESSION);
        return session != null && session.over();
    }

    private void typed(WsBinaryMessageContext message) {
        Optional<RunningJob> running = running(message);
        if (running.isEmpty() || over(message)) {
            return;
        }
        byte[] keys = new byte[message.data().remaining()];
        message.data().get(keys);
        OutputStream stdin = running.get().stdin();
        try {
            stdin.write(keys);
            stdin.flush();
        } catch (IOException over) {
            LOG.debug("keys for a terminal that is over");
        }
    }

    private void resized(WsMessageContext message) {
        try {
            JsonNode size = JsonTree.read(message.message());
            int rows = size.path("rows").asInt(0);
            int columns = size.path("columns").asInt(0);
            if (over(message)) {
                return;
            }
            if (rows >= 1 && rows <= MOST_CELLS && columns >= 1 && columns <= MOST_CELLS) {
                running(message).ifPresent(job -> job.resize(rows, columns));
                return;
            }
        } catch (JacksonException e) {
            LOG.debug("a terminal's client sent what is not JSON");
        }
        message.closeSession(WRONG, "a text message is {\"rows\":24,\"columns\":80}");
    }

    private void left(WsContext socket) {
        TokenSessions.Session session = socket.attribute(SESSION);
        if (session != null) {
            session.close();
        }
        ServedJob job = socket.attribute(JOB);
        if (job != null && taken.remove(job.id().value())) {
            desk.cancel(job);
        }
    }
}
