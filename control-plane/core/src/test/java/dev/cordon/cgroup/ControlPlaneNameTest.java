package dev.cordon.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.ControlPlaneName.Life;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ControlPlaneNameTest {

    private final ControlPlaneName self = ControlPlaneName.current();

    ControlPlaneNameTest() throws IOException {}

    @Test
    void thisProcessIsAlive() {
        assertThat(self.judge(self)).isEqualTo(Life.ALIVE);
    }

    @Test
    void ownerOfAnEarlierBootIsDead() {
        String other = self.boot().equals("00000000") ? "00000001" : "00000000";
        assertThat(self.judge(new ControlPlaneName(other, self.pidNamespace(), self.pid(), self.startTicks())))
                .isEqualTo(Life.DEAD);
    }

    @Test
    void processThatGotTheNumberLaterIsNotTheOwner() {
        assertThat(self.judge(
                        new ControlPlaneName(self.boot(), self.pidNamespace(), self.pid(), self.startTicks() + 1)))
                .isEqualTo(Life.DEAD);
    }

    @Test
    void numberInAnotherNamespaceSaysNothing() {
        assertThat(self.judge(
                        new ControlPlaneName(self.boot(), self.pidNamespace() + 1, self.pid(), self.startTicks())))
                .isEqualTo(Life.UNKNOWN);
    }

    @Test
    void endedProcessIsDead() throws Exception {
        Process process = new ProcessBuilder("cat").start();
        ControlPlaneName owner = ControlPlaneName.of(process.pid());
        assertThat(self.judge(owner)).isEqualTo(Life.ALIVE);
        process.destroyForcibly().waitFor();
        assertThat(self.judge(owner)).isEqualTo(Life.DEAD);
    }

    @Test
    void zombieIsDead() throws Exception {
        // The shell becomes cat, which never reaps the child that the shell had started.
        Process parent = new ProcessBuilder("sh", "-c", "sleep 1000 & echo $!; exec cat").start();
        try {
            long child = Long.parseLong(parent.inputReader().readLine());
            ControlPlaneName owner = ControlPlaneName.of(child);
            assertThat(self.judge(owner)).isEqualTo(Life.ALIVE);
            ProcessHandle.of(child).orElseThrow().destroyForcibly();
            org.awaitility.Awaitility.await().until(() -> self.judge(owner) == Life.DEAD);
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }
}
