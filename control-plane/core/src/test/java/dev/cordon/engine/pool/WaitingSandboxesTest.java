package dev.cordon.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import org.junit.jupiter.api.Test;


class WaitingSandboxesTest {
    private static final long QUIET = 10;

    private final FakeSandboxes backend = new FakeSandboxes();
    private final SandboxShape shape = SandboxShape.of(SandboxShapeTest.plan(Job.argv("/bin/true"))).orElseThrow();
    private final WaitingSandboxes shelf = new WaitingSandboxes(shape, 4, 0);

    /** It is low at half, and then the next is due at once; above it waits until nobody asked for a while. */
    @Test
    void politeUntilHalfAreGone() throws Exception {
        shelf.wantAll();
        for (int i = 0; i < 4; i++) {
            shelf.put(backend.open(shape.plan(new JobId("box" + i))), 0);
        }
        assertThat(shelf.isLow()).isFalse();
        shelf.asked(100);
        shelf.take();
        assertThat(shelf.isLow()).isFalse();
        assertThat(shelf.due(QUIET)).isEqualTo(110);
        shelf.asked(200);
        shelf.take();
        assertThat(shelf.isLow()).isTrue();
        assertThat(shelf.due(QUIET)).isEqualTo(200);
    }
}
