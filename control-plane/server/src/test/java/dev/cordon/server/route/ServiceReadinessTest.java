package dev.cordon.server.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.doctor.HostCheck;
import dev.cordon.doctor.HostDiagnosis;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServiceReadinessTest {
    private static HostDiagnosis found(HostCheck.Status status) {
        return new HostDiagnosis(List.of(new HostCheck("jail", status, "tried", "everything needs it", "mend it")));
    }

    @Test
    void itIsWhatTheDoctorFinds() {
        assertThat(new ServiceReadiness(() -> found(HostCheck.Status.FAIL), () -> true)
                        .diagnosis()
                        .usable())
                .isFalse();
        assertThat(new ServiceReadiness(() -> found(HostCheck.Status.WARN), () -> true)
                        .diagnosis()
                        .usable())
                .isTrue();
    }

    @Test
    void theDoctorIsAskedOnceForManyProbes() {
        AtomicInteger asked = new AtomicInteger();
        ServiceReadiness readiness = new ServiceReadiness(
                () -> {
                    asked.incrementAndGet();
                    return found(HostCheck.Status.PASS);
                },
                () -> true);
        assertThat(readiness.wasReady()).as("nobody has looked yet").isFalse();
        for (int i = 0; i < 10; i++) {
            assertThat(readiness.diagnosis().usable()).isTrue();
        }
        assertThat(readiness.wasReady()).isTrue();
        assertThat(asked).hasValue(1);
        assertThat(readiness.look().usable()).isTrue();
        assertThat(asked).hasValue(2);
    }

    /** The gauge and the probe are never of two minds. */
    @Test
    void whatCannotBeWrittenIsNotReady() {
        AtomicBoolean writing = new AtomicBoolean(true);
        ServiceReadiness readiness = new ServiceReadiness(() -> found(HostCheck.Status.PASS), writing::get);
        assertThat(readiness.ready()).isTrue();
        assertThat(readiness.wasReady()).isTrue();
        writing.set(false);
        assertThat(readiness.ready()).isFalse();
        assertThat(readiness.wasReady()).isFalse();
    }

    @Test
    void aLookThatFailsFindsNothingUsable() {
        AtomicInteger asked = new AtomicInteger();
        ServiceReadiness readiness = new ServiceReadiness(
                () -> {
                    if (asked.incrementAndGet() > 1) {
                        throw new IllegalStateException("of a test");
                    }
                    return found(HostCheck.Status.PASS);
                },
                () -> true);
        assertThat(readiness.look().usable()).isTrue();
        assertThatThrownBy(readiness::look).isInstanceOf(IllegalStateException.class);
        assertThat(readiness.wasReady()).isFalse();
    }
}
