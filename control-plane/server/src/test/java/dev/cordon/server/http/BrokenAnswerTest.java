package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.server.access.Peers;
import dev.cordon.server.access.TokenSessions;
import dev.cordon.server.history.Artifacts;
import dev.cordon.server.history.Database;
import dev.cordon.server.history.JobHistory;
import dev.cordon.server.history.OutputFiles;
import dev.cordon.server.history.Tokens;
import dev.cordon.server.jobs.Admission;
import dev.cordon.server.jobs.JobDesk;
import dev.cordon.server.jobs.JobMetrics;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
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

    private JobDesk desk(Database database) throws IOException {
        return new JobDesk(
                new JobHistory(
                        database,
                        OutputFiles.in(directory.resolve("outputs")),
                        new JobHistory.Bounds(1, Duration.ofDays(1), 1)),
                new Admission(new Admission.Bounds(1, 1, 1, 1, 1 << 30)),
                new JobMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)),
                new Artifacts(database, 1),
                1);
    }

    @Test
    void whatBreaksOffIsNotTakenForTheWhole() throws Exception {
        Route early = Route.get("/early", Access.PUBLIC, ctx -> {
            ctx.res().setContentLengthLong(1_000);
            ctx.res().getOutputStream().write(new byte[100]);
            throw Problem.of(Code.STATE_CONFLICT, "nothing was sent");
        });
        Route late = Route.get("/late", Access.PUBLIC, ctx -> {
            ctx.res().getOutputStream().write("x".repeat(100_000).getBytes(StandardCharsets.US_ASCII));
            ctx.res().getOutputStream().flush();
            throw Problem.of(Code.STATE_CONFLICT, "the file is gone");
        });
        Route error = Route.get("/error", Access.PUBLIC, _ -> {
            throw new NoClassDefFoundError("dev/cordon/Secret");
        });
        Database closed = Database.open(directory.resolve("closed"));
        closed.close();
        Route unwritten = Route.get("/unwritten", Access.PUBLIC, _ -> new Tokens(closed).list());
        try (Database database = Database.open(directory.resolve("db"))) {
            TokenSessions sessions = TokenSessions.start(_ -> true);
            Guard guard = new Guard(
                    new Tokens(database),
                    sessions,
                    Peers.of(null),
                    Set.of("localhost"),
                    new InFlight(InFlight.Bounds.of(1 << 20, 1_000)));
            try (HttpServer server = HttpServer.start(
                    guard,
                    List.of(early, late, unwritten, error),
                    new TerminalRoute(desk(database), sessions, (_, _) -> {}),
                    List.of(new Listener.Tcp("127.0.0.1", 0, null)))) {
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
