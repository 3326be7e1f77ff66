package dev.cordon;

import dev.cordon.fixture.Rooms;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a new class belongs can be seen: packages are small, have one direction, and every name means one thing. */
class RoomsTest {
    private static final Rooms ROOMS = Rooms.around(Cordon.class);

    @Test
    void noPackageIsLarge() {
        ROOMS.areSmall();
    }

    @Test
    void noNameStandsTwice() {
        ROOMS.haveEachNameOnce();
    }

    @Test
    void namesAreNounsOfTheDomain() {
        ROOMS.haveNounsOfTheDomain();
    }

    @Test
    void noPackageDependsOnItself() {
        ROOMS.haveNoCycles();
    }

    @Test
    void everyPackageSaysWhatMayBeNull() {
        ROOMS.sayWhatMayBeNull();
    }

    @Test
    void dependenciesPointDown() {
        ROOMS.pointDown(List.of(
                "dev.cordon.job.limit",
                "dev.cordon.job",
                "dev.cordon.result",
                "dev.cordon.policy",
                "dev.cordon.policy.rule",
                "dev.cordon.config.setting",
                "dev.cordon.config",
                "dev.cordon.plan",
                "dev.cordon.plan.facts",
                "dev.cordon.plan.planner",
                "dev.cordon.plan.host",
                "dev.cordon.cgroup..",
                "dev.cordon.seccomp..",
                "dev.cordon.engine..",
                "dev.cordon.flow",
                "dev.cordon"));
    }
}
