package dev.cordon.server;

import static org.awaitility.Awaitility.await;

import dev.cordon.doctor.HostCheck;
import dev.cordon.doctor.HostDiagnosis;
import dev.cordon.server.route.ServiceReadiness;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ServiceUpkeepTest {
    /** Nobody asks whether the service is ready; the gauge follows the host all the same. */
    @Test
    void theHostIsLookedAtAgainAndAgain() {
        AtomicBoolean broken = new AtomicBoolean();
        ServiceReadiness readiness = new ServiceReadiness(
                () -> new HostDiagnosis(List.of(new HostCheck(
                        "jail",
                        broken.get() ? HostCheck.Status.FAIL : HostCheck.Status.PASS,
                        "tried",
                        "everything needs it",
                        "mend it"))),
                () -> true);
        try (ServiceUpkeep _ = ServiceUpkeep.start(readiness, () -> {}, Duration.ofMillis(10))) {
            await().atMost(Duration.ofMinutes(1)).until(readiness::wasReady);
            broken.set(true);
            await().atMost(Duration.ofMinutes(1)).until(() -> !readiness.wasReady());
            broken.set(false);
            await().atMost(Duration.ofMinutes(1)).until(readiness::wasReady);
        }
    }
}
