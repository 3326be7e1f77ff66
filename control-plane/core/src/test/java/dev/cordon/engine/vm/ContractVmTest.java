package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.result.Result;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** These jobs in a jail and in a machine: what is seen of them is the same, but for what is listed. Prints both, side by side. */
@Tag("vm")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ContractVmTest {
    private static Cordon cordon;

    @BeforeAll
    static void open() throws IOException {
        cordon = Machinery.open(2);
    }

    @AfterAll
    static void close() {
        cordon.close();
    }

    @Test
    void jailAndMachineAreTheSame() throws Exception {
        assertThat(ContractTable.print(cordon, System.out)).allMatch(ContractRow::holds);
    }

    @Test
    void twoMachinesOfOneTemplateDrawDifferentNumbers() {
        Job job = Job.shell("head -c 16 /dev/urandom | od -An -tx1; cat /proc/sys/kernel/random/uuid");
        Result one = cordon.run(ContractCase.sized(job, Isolation.VM));
        Result two = cordon.run(ContractCase.sized(job, Isolation.VM));
        assertThat(one.succeeded() && two.succeeded()).as("%s %s", one, two).isTrue();
        assertThat(one.stdoutText()).isNotEqualTo(two.stdoutText());
    }
}
