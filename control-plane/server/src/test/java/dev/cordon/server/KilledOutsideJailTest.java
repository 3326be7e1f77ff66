package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.fixture.JavaProcess;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Somebody on the host kills or stops one of the processes that a job hangs by. */
@Tag("jail")
@Tag("asUser")
class KilledOutsideJailTest extends ServedTest {
    private String begin(String command, Marked marked, int processes, int limit) throws Exception {
        String id = calls.begin("{\"command\":\"%s\",\"limits\":{\"timeout\":\"%dms\"}}".formatted(command, limit));
        await().atMost(ServiceCalls.PATIENCE).until(() -> marked.processes().size() == processes);
        return id;
    }

    private JsonNode ended(String id) throws Exception {
        await().atMost(ServiceCalls.PATIENCE).until(() -> calls.is(id, "finished"));
        return calls.job(id);
    }

    /** */
    @Test
    void theServiceAndASupervisorAreKilledAtOnce() throws Exception {
        Marked marked = Marked.by(67);
        String id = begin("exec sleep " + marked.seconds(), marked, 1, 600_000);
        ProcessHandle supervisor = above(marked.processes().getFirst()).getLast();
        assertThat(new ProcessBuilder(
                                "kill", "-9", Long.toString(service.handle().pid()), Long.toString(supervisor.pid()))
                        .start()
                        .waitFor())
                .isZero();
        await().atMost(ServiceCalls.PATIENCE).until(() -> marked.processes().isEmpty());
        stop();
        start();
        assertThat(calls.job(id).path("outcome").asString()).isEqualTo("lost");
        assertThat(calls.works()).isTrue();
        AuditEnds.assertOneEach(AuditEnds.directory(state), List.of(id));
    }

    /** with init all of its processes die. */
    @Test
    void initIsKilledWithACrowd() throws Exception {
        Marked marked = Marked.by(64);
        String crowd = "for i in $(seq 30); do sleep " + marked.seconds() + " & done; wait";
        String id = begin(crowd, marked, 30, 600_000);
        List<ProcessHandle> line = above(marked.processes().getFirst());
        assertThat(line.get(line.size() - 2).destroyForcibly()).isTrue();
        await().atMost(ServiceCalls.PATIENCE).until(() -> marked.processes().isEmpty());
        JsonNode job = ended(id);
        assertThat(job.path("outcome").asString()).as(job.toString()).isEqualTo("sandbox_error");
        assertThat(job.path("error").path("code").asString()).isEqualTo("supervisor_lost");
        assertThat(calls.works()).isTrue();
    }

    /** nobody is left who would end the job at its limit, so that the service does, a little later. */
    @Test
    void aSupervisorStandsStill() throws Exception {
        Marked marked = Marked.by(65);
        String id = begin("exec sleep " + marked.seconds(), marked, 1, 5_000);
        ProcessHandle supervisor = above(marked.processes().getFirst()).getLast();
        JavaProcess.signal(supervisor, "STOP");
        JsonNode job = ended(id);
        assertThat(job.path("outcome").asString()).as(job.toString()).isEqualTo("sandbox_error");
        assertThat(job.path("error").path("code").asString()).isEqualTo("supervisor_lost");
        await().atMost(ServiceCalls.PATIENCE).until(() -> marked.processes().isEmpty());
        await().atMost(ServiceCalls.PATIENCE).until(() -> !supervisor.isAlive());
        assertThat(calls.works()).isTrue();
    }

    /** it is nobody's limit. */
    @Test
    void aJobsProcessIsKilled() throws Exception {
        Marked marked = Marked.by(66);
        String id = begin("exec sleep " + marked.seconds(), marked, 1, 600_000);
        assertThat(marked.processes().getFirst().destroyForcibly()).isTrue();
        JsonNode job = ended(id);
        assertThat(job.path("outcome").asString()).as(job.toString()).isEqualTo("signaled");
        assertThat(job.path("signal").asString()).isEqualTo("SIGKILL");
        assertThat(job.path("violations")).isEmpty();
    }
}
