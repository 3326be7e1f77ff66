package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestLoadTest {
    private static final long ALL = 1_600;
    private static final long OWN = 200;
    private final RequestLoad load = new RequestLoad(new RequestLoad.Bounds(3, OWN, ALL));

    private static void refused(ProblemCode code, Runnable act) {
        assertThatThrownBy(act::run).isInstanceOfSatisfying(RequestProblem.class, problem -> {
            assertThat(problem.code()).isEqualTo(code);
            assertThat(problem.retryAfter()).isNotNull();
        });
    }

    @Test
    void anOwnersRequestsAreCounted() {
        List<RequestLoad.Lease> leases = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            leases.add(load.enter("alice"));
        }
        refused(ProblemCode.RATE_LIMITED, () -> load.enter("alice"));
        load.enter("bob").close();
        leases.getFirst().close();
        leases.getFirst().close();
        load.enter("alice");
        refused(ProblemCode.RATE_LIMITED, () -> load.enter("alice"));
    }

    @Test
    void bytesAreGivenBackWithTheRequestOrWithItsJob() {
        RequestLoad.Lease request = load.enter("alice");
        request.grow(OWN);
        refused(ProblemCode.RATE_LIMITED, () -> request.grow(1));
        Runnable job = request.handOver();
        request.close();
        assertThat(load.bytes()).isEqualTo(OWN);
        RequestLoad.Lease next = load.enter("alice");
        refused(ProblemCode.RATE_LIMITED, () -> next.grow(1));
        job.run();
        next.grow(OWN);
        next.close();
        assertThat(load.bytes()).isZero();
    }

    @Test
    void whatIsGivenBackTwiceCountsOnce() {
        RequestLoad.Lease request = load.enter("alice");
        request.grow(40);
        request.close();
        request.close();
        request.handOver().run();
        assertThat(load.bytes()).isZero();
        assertThat(load.requests()).isZero();
    }

    @Test
    void thoseWhoHaveMuchLeaveSomeForThoseWhoHaveNothing() {
        for (int owner = 0; owner < 6; owner++) {
            load.enter("owner" + owner).grow(OWN / 2);
            load.enter("owner" + owner).grow(OWN / 2);
        }
        RequestLoad.Lease late = load.enter("late");
        late.grow(OWN / 2);
        refused(ProblemCode.NO_CAPACITY, () -> load.enter("late").grow(1));
        load.enter("last").grow(OWN);
        refused(ProblemCode.NO_CAPACITY, () -> load.enter("nobody").grow(ALL - load.bytes() + 1));
    }
}
