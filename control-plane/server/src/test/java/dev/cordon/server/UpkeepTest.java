package dev.cordon.server;

import static org.awaitility.Awaitility.await;

import dev.cordon.host.Check;
import dev.cordon.host.Diagnosis;
import dev.cordon.server.http.Readiness;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UpkeepTest {
    /** Nobody asks whether the service is ready; the gauge follows the host all the same. */
    @Test
    void theHostIsLookedAtAgainAndAgain() {
        AtomicBoolean broken = new AtomicBoolean();
        Readiness readiness = new Readiness(
                () -> new Diagnosis(List.of(new Check(
                        "jail",
                        broken.get() ? Check.Status.FAIL : Check.Status.PASS,
                        "tried",
                        "everything needs it",
                        "mend it"))),
                () -> true);
        try (Upkeep _ = Upkeep.start(readiness, () -> {}, Duration.ofMillis(10))) {
            await().atMost(Duration.ofMinutes(1)).until(readiness::wasReady);
            broken.set(true);
            await().atMost(Duration.ofMinutes(1)).until(() -> !readiness.wasReady());
            broken.set(false);
            await().atMost(Duration.ofMinutes(1)).until(readiness::wasReady);
        }
    }
}
