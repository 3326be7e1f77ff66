package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.server.access.SocketPeers;
import dev.cordon.server.access.TokenSessions;
import dev.cordon.server.config.ListenAddress;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.RequestGuard;
import dev.cordon.server.http.RequestLoad;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.JobMetrics;
import dev.cordon.server.job.JobQueue;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.route.TerminalRoute;
import dev.cordon.server.store.ArtifactStore;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.OutputFiles;
import dev.cordon.server.store.SqliteDatabase;
import dev.cordon.server.store.TokenStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An answer that fails: told when nothing of it was sent, and cut off when something was. */
class BrokenAnswerTest {
    @TempDir
    Path directory;

    private static String answer(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(
                    socket.getInputStream().readNBytes(path.equals("/late") ? 1 << 20 : 600), StandardCharsets.UTF_8);
        }
    }

    private JobDesk desk(SqliteDatabase database) throws IOException {
        return new JobDesk(
                new JobHistory(
                        database,
                        OutputFiles.in(directory.resolve("outputs")),
                        new JobHistory.Bounds(1, Duration.ofDays(1), 1)),
                new JobQueue(new JobQueue.Bounds(1, 1, 1, 1, 1 << 30)),
                new JobMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)),
                new ArtifactStore(database, 1),
                1);
    }

    @Test
    void whatBreaksOffIsNotTakenForTheWhole() throws Exception {
        ApiRoute early = ApiRoute.get("/early", RouteAccess.PUBLIC, ctx -> {
            ctx.res().setContentLengthLong(1_000);
            ctx.res().getOutputStream().write(new byte[100]);
            throw RequestProblem.of(ProblemCode.STATE_CONFLICT, "nothing was sent");
        });
        ApiRoute late = ApiRoute.get("/late", RouteAccess.PUBLIC, ctx -> {
            ctx.res().getOutputStream().write("x".repeat(100_000).getBytes(StandardCharsets.US_ASCII));
            ctx.res().getOutputStream().flush();
            throw RequestProblem.of(ProblemCode.STATE_CONFLICT, "the file is gone");
        });
        ApiRoute error = ApiRoute.get("/error", RouteAccess.PUBLIC, _ -> {
            throw new NoClassDefFoundError("dev/cordon/Secret");
        });
        SqliteDatabase closed = SqliteDatabase.open(directory.resolve("closed"));
        closed.close();
        ApiRoute unwritten = ApiRoute.get("/unwritten", RouteAccess.PUBLIC, _ -> new TokenStore(closed).list());
        try (SqliteDatabase database = SqliteDatabase.open(directory.resolve("db"))) {
            TokenSessions sessions = TokenSessions.start(_ -> true);
            RequestGuard guard = new RequestGuard(
                    new TokenStore(database),
                    sessions,
                    SocketPeers.of(null),
                    Set.of("localhost"),
                    new RequestLoad(RequestLoad.Bounds.of(1 << 20, 1_000)));
            try (HttpServer server = HttpServer.start(
                    guard,
                    List.of(early, late, unwritten, error),
                    new TerminalRoute(desk(database), sessions, (_, _) -> {}),
                    List.of(new ListenAddress.Tcp("127.0.0.1", 0, null)))) {
                assertThat(answer(server.port(), "/early"))
                        .startsWith("HTTP/1.1 409")
                        .contains("state_conflict");
                assertThat(answer(server.port(), "/unwritten"))
                        .startsWith("HTTP/1.1 503")
                        .contains("storage_unavailable", "Retry-After: 5");
                assertThat(answer(server.port(), "/error"))
                        .startsWith("HTTP/1.1 500")
                        .contains("application/problem+json", "\"code\":\"internal\"")
                        .doesNotContain("Secret", "NoClassDef");
                assertThat(answer(server.port(), "/late"))
                        .startsWith("HTTP/1.1 200")
                        .contains("xxxx")
                        .doesNotContain("state_conflict")
                        .doesNotContain("\r\n0\r\n");
            } finally {
                sessions.close();
            }
        }
    }
}
