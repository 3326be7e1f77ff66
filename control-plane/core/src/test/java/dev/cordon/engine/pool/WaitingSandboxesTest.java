package dev.cordon.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import org.junit.jupiter.api.Test;

class WaitingSandboxesTest {
    private static final long QUIET = 10;

    private final FakeSandboxes backend = new FakeSandboxes();
    private final SandboxShape shape = SandboxShape.of(
                    SandboxShapeTest.plan(Job.argv("/bin/true")).sandbox())
            .orElseThrow();
    private final WaitingSandboxes waiting = new WaitingSandboxes(shape, 4, 0);

    /** It is low at half, and then the next is due at once; above it waits until nobody asked for a while. */
    @Test
    void politeUntilHalfAreGone() throws Exception {
        waiting.wantAll();
        for (int i = 0; i < 4; i++) {
            waiting.put(backend.open(shape.plan(new JobId("box" + i))), 0);
        }
        assertThat(waiting.isLow()).isFalse();
        waiting.asked(100);
        waiting.take();
        assertThat(waiting.isLow()).isFalse();
        assertThat(waiting.due(QUIET)).isEqualTo(110);
        waiting.asked(200);
        waiting.take();
        assertThat(waiting.isLow()).isTrue();
        assertThat(waiting.due(QUIET)).isEqualTo(200);
    }
}
