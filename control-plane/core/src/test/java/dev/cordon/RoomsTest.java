package dev.cordon;

import dev.cordon.fixture.RoomsContract;
import java.util.List;

class RoomsTest extends RoomsContract {
    RoomsTest() {
        super(
                Cordon.class,
                List.of(
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
