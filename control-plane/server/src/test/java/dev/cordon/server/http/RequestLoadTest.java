package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.server.problem.Problem;
import dev.cordon.server.problem.ProblemCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;


class RequestLoadTest {
    private static final long ALL = 1_600;
    private static final long OWN = 200;
    private final RequestLoad inFlight = new RequestLoad(new RequestLoad.Bounds(3, OWN, ALL));

    private static void refused(ProblemCode code, Runnable act) {
        assertThatThrownBy(act::run).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.code()).isEqualTo(code);
            assertThat(problem.retryAfter()).isNotNull();
        });
    }

    @Test
    void anOwnersRequestsAreCounted() {
        List<RequestLoad.Lease> leases = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            leases.add(inFlight.enter("alice"));
        }
        refused(ProblemCode.RATE_LIMITED, () -> inFlight.enter("alice"));
        inFlight.enter("bob").close();
        leases.getFirst().close();
        leases.getFirst().close();
        inFlight.enter("alice");
        refused(ProblemCode.RATE_LIMITED, () -> inFlight.enter("alice"));
    }

    @Test
    void bytesAreGivenBackWithTheRequestOrWithItsJob() {
        RequestLoad.Lease request = inFlight.enter("alice");
        request.grow(OWN);
        refused(ProblemCode.RATE_LIMITED, () -> request.grow(1));
        Runnable job = request.handOver();
        request.close();
        assertThat(inFlight.bytes()).isEqualTo(OWN);
        RequestLoad.Lease next = inFlight.enter("alice");
        refused(ProblemCode.RATE_LIMITED, () -> next.grow(1));
        job.run();
        next.grow(OWN);
        next.close();
        assertThat(inFlight.bytes()).isZero();
    }

    @Test
    void whatIsGivenBackTwiceCountsOnce() {
        RequestLoad.Lease request = inFlight.enter("alice");
        request.grow(40);
        request.close();
        request.close();
        request.handOver().run();
        assertThat(inFlight.bytes()).isZero();
        assertThat(inFlight.requests()).isZero();
    }

    @Test
    void thoseWhoHaveMuchLeaveSomeForThoseWhoHaveNothing() {
        for (int owner = 0; owner < 6; owner++) {
            inFlight.enter("owner" + owner).grow(OWN / 2);
            inFlight.enter("owner" + owner).grow(OWN / 2);
        }
        RequestLoad.Lease late = inFlight.enter("late");
        late.grow(OWN / 2);
        refused(ProblemCode.NO_CAPACITY, () -> inFlight.enter("late").grow(1));
        inFlight.enter("last").grow(OWN);
        refused(ProblemCode.NO_CAPACITY, () -> inFlight.enter("nobody").grow(ALL - inFlight.bytes() + 1));
    }
}
