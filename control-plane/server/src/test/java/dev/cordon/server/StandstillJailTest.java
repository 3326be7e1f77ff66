package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A process of the service stands still or dies, and its neighbours do not. */
@Tag("jail")
class StandstillJailTest extends ServedTest {
    private static final int LIMIT = 8_000;

    private void signal(String name) throws Exception {
        assertThat(new ProcessBuilder(
                                "kill",
                                "-" + name,
                                Long.toString(service.handle().pid()))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    /** The third field of proc_pid_stat(5), of a process whose name has no blanks. */
    private char stateOfService() throws Exception {
        return Files.readString(Path.of("/proc/" + service.handle().pid() + "/stat"))
                .split(" ", -1)[2]
                .charAt(0);
    }

    /** the supervisor owns the clock, so that a limit holds while the JVM stands still. */
    @Test
    void aLimitHoldsWhileTheServiceStandsStill() throws Exception {
        Marked marked = Marked.by(61);
        long begin = System.nanoTime();
        String id = calls.begin(
                "{\"command\":\"exec sleep %s\",\"limits\":{\"timeout\":\"%dms\"}}".formatted(marked.seconds(), LIMIT));
        await().atMost(ServiceCalls.PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !marked.processes().isEmpty());
        signal("STOP");
        try {
            await().atMost(ServiceCalls.PATIENCE).until(() -> stateOfService() == 'T');
            assertThat(marked.processes())
                    .as("the job outlives the beginning of the standstill")
                    .isNotEmpty();
            await().atMost(ServiceCalls.PATIENCE)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> marked.processes().isEmpty());
            assertThat(stateOfService()).isEqualTo('T');
        } finally {
            signal("CONT");
        }
        long seen = Duration.ofNanos(System.nanoTime() - begin).toMillis();
        await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(id, "finished"));
        JsonNode job = calls.job(id);
        assertThat(job.path("outcome").asString()).as(job.toString()).isEqualTo("timed_out");
        assertThat(job.path("usage").path("wall_ms").asLong()).isBetween((long) LIMIT, seen);
        assertThat(AuditEnds.of(state).ends().get(id)).containsExactly("timed_out");
        assertThat(calls.works()).isTrue();
    }

    /** of two jobs the supervisor of one is killed. */
    @Test
    void aNeighbourOfADeadSupervisorEndsWell() throws Exception {
        Marked marked = Marked.by(62);
        String neighbour = calls.begin("{\"command\":\"read x; echo $x\",\"stdin_open\":true}");
        String id = calls.begin(
                "{\"command\":\"exec sleep %s\",\"limits\":{\"timeout\":\"600s\"}}".formatted(marked.seconds()));
        await().atMost(ServiceCalls.PATIENCE).until(() -> !marked.processes().isEmpty());
        await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(neighbour, "running"));
        ProcessHandle supervisor = above(marked.processes().getFirst()).getLast();
        assertThat(supervisor.destroyForcibly()).isTrue();
        await().atMost(ServiceCalls.PATIENCE).until(() -> marked.processes().isEmpty());
        await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(id, "finished"));
        assertThat(calls.job(id).path("outcome").asString()).isEqualTo("sandbox_error");
        assertThat(calls.is(neighbour, "running")).isTrue();
        assertThat(calls.send("POST", "/v1/jobs/" + neighbour + "/stdin?eof=true", "well\n")
                        .statusCode())
                .isEqualTo(204);
        await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(neighbour, "finished"));
        assertThat(calls.job(neighbour).path("outcome").asString()).isEqualTo("ok");
        assertThat(calls.job(neighbour).path("stdout").asString()).isEqualTo("well\n");
        AuditEnds.assertOneEach(AuditEnds.directory(state), List.of(id, neighbour));
    }
}
