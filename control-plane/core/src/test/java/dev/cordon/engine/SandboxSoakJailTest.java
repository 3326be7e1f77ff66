package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many sandboxes open at one time, each of which answers; then all of them closed, and nothing left. {@code -Dcordon.test.sandboxes=1000}
 * sets the number.
 */
@Tag("jail")
@Tag("long")
final class SandboxSoakJailTest {
    private static final int SANDBOXES = Integer.getInteger("cordon.test.sandboxes", 50);
    private static final int PARALLEL = 8;

    /** A thousand of them are within the host's memory. */
    private static final ByteSize EACH = ByteSize.mib(16);

    @Test
    void manySandboxesAnswerAndLeaveNothing() throws Exception {
        try (Cordon cordon = Cordon.open()) {
            round(cordon, PARALLEL);
            HostLedger before = HostLedger.now();
            round(cordon, SANDBOXES);
            await().atMost(Duration.ofSeconds(60)).until(() -> HostLedger.now().equals(before));
            assertThat(HostLedger.now()).isEqualTo(before);
        }
        assertThat(Sandboxes.supervisors()).isZero();
    }

    private static void round(Cordon cordon, int count) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(PARALLEL)) {
            List<Callable<Sandbox>> openings = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                openings.add(() -> cordon.openSandbox(SandboxSpec.create().memory(EACH)));
            }
            List<Sandbox> sandboxes = all(pool, openings);
            assertThat(Sandboxes.supervisors()).isGreaterThanOrEqualTo(count);
            List<Callable<String>> questions = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Sandbox sandbox = sandboxes.get(i);
                String word = "sandbox " + i;
                questions.add(() -> {
                    Result result = sandbox.run(Job.argv("sh", "-c", "echo \"$0\" | tee file", word));
                    return result.succeeded() ? result.stdoutText().trim() : result.toString();
                });
            }
            List<String> answers = all(pool, questions);
            for (int i = 0; i < count; i++) {
                assertThat(answers.get(i)).isEqualTo("sandbox " + i);
            }
            List<Callable<Boolean>> closings = new ArrayList<>();
            sandboxes.forEach(sandbox -> closings.add(() -> {
                sandbox.close();
                return true;
            }));
            assertThat(all(pool, closings)).hasSize(count);
        }
    }

    private static <T> List<T> all(ExecutorService pool, List<Callable<T>> tasks) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> each : pool.invokeAll(tasks)) {
            results.add(each.get());
        }
        return results;
    }
}
