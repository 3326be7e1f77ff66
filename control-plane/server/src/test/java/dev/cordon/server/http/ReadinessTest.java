package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.host.Check;
import dev.cordon.host.Diagnosis;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private static Diagnosis found(Check.Status status) {
        return new Diagnosis(List.of(new Check("jail", status, "tried", "everything needs it", "mend it")));
    }

    @Test
    void itIsWhatTheDoctorFinds() {
        assertThat(new Readiness(() -> found(Check.Status.FAIL)).diagnosis().usable())
                .isFalse();
        assertThat(new Readiness(() -> found(Check.Status.WARN)).diagnosis().usable())
                .isTrue();
    }

    @Test
    void theDoctorIsAskedOnceForManyProbes() {
        AtomicInteger asked = new AtomicInteger();
        Readiness readiness = new Readiness(() -> {
            asked.incrementAndGet();
            return found(Check.Status.PASS);
        });
        assertThat(readiness.wasReady()).as("nobody has looked yet").isFalse();
        for (int i = 0; i < 10; i++) {
            assertThat(readiness.diagnosis().usable()).isTrue();
        }
        assertThat(readiness.wasReady()).isTrue();
        assertThat(asked).hasValue(1);
    }
}
