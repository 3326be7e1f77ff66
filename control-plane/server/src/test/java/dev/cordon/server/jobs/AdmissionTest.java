package dev.cordon.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private final BlockingQueue<String> started = new LinkedBlockingQueue<>();

    private String next() throws InterruptedException {
        return String.valueOf(started.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void ownersTakeTurns() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(1, 1, 100, 100));
        admission.enter("busy", () -> started.add("first"));
        assertThat(next()).isEqualTo("first");
        for (int i = 0; i < 5; i++) {
            String name = "busy" + i;
            admission.enter("busy", () -> started.add(name));
        }
        admission.enter("other", () -> started.add("other"));
        admission.enter("third", () -> started.add("third"));
        assertThat(admission.queued()).isEqualTo(7);
        String runs = "busy";
        for (String expected : List.of("busy0", "other", "third", "busy1", "busy2", "busy3", "busy4")) {
            admission.leave(runs);
            assertThat(next()).isEqualTo(expected);
            runs = expected.replaceAll("[0-9]", "");
        }
        admission.leave(runs);
        assertThat(admission.running()).isZero();
    }

    @Test
    void oneOwnerLeavesRoomForOthers() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(3, 2, 100, 100));
        for (int i = 0; i < 4; i++) {
            String name = "busy" + i;
            admission.enter("busy", () -> started.add(name));
        }
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("busy0", "busy1");
        assertThat(admission.queued()).isEqualTo(2);
        admission.enter("other", () -> started.add("other"));
        assertThat(next()).isEqualTo("other");
        admission.leave("other");
        assertThat(admission.running()).isEqualTo(2);
        admission.leave("busy");
        assertThat(next()).isEqualTo("busy2");
    }

    @Test
    void theQueueIsBoundedForAllAndForEach() throws Exception {
        Admission admission = new Admission(new Admission.Bounds(1, 1, 3, 2));
        admission.enter("a", () -> started.add("runs"));
        admission.enter("a", () -> {});
        admission.enter("a", () -> {});
        assertThatThrownBy(() -> admission.enter("a", () -> {})).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.code()).isEqualTo(Code.QUEUE_FULL);
            assertThat(problem.retryAfter()).isNotNull();
        });
        Runnable waiting = () -> started.add("b");
        admission.enter("b", waiting);
        assertThatThrownBy(() -> admission.enter("c", () -> {})).isInstanceOf(Problem.class);
        assertThat(admission.withdraw("b", waiting)).isTrue();
        assertThat(admission.withdraw("b", waiting)).isFalse();
        admission.enter("c", () -> {});
        admission.close();
        assertThatThrownBy(() -> admission.enter("d", () -> {}))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(Code.DRAINING));
    }
}
