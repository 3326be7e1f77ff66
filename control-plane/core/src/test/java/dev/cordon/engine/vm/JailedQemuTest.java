package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.JobId;
import dev.cordon.plan.Hosts;
import dev.cordon.plan.Plan;
import dev.cordon.vm.qemu.QemuLaunch;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** THREATS H-02, H-06: a QEMU that was taken over has no more of the host than its machine. */
class JailedQemuTest {
    @Test
    void itHasTheProcessorsAndTheMemoryOfItsMachine() {
        QemuLaunch launch = new QemuLaunch(List.of("/usr/bin/qemu-system-x86_64"), List.of(), 512L << 20, 3, false);
        Plan plan = JailedQemu.plan(new JobId("machine_1"), Hosts.root(), launch, Optional.empty());
        assertThat(plan.sandbox().limits().cpus()).isEqualTo(3.0);
        assertThat(plan.sandbox().limits().memory().bytes()).isEqualTo(512L << 20);
    }
}
