package dev.cordon.cgroup.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupSupport.None;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.tree.HostCgroups;
import dev.cordon.cgroup.tree.JobCgroup;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

public class NoCgroupTest {

    private static final CgroupLimits LIMITS = new CgroupLimits(64 << 20, 16, 500_000);

    /** What a job without cgroups has instead, on a host that has none for this user. */
    public static void holdsNothing(HostCgroups host, JobCgroup job) {
        holdsNothing(host.host(), job);
    }

    private static void holdsNothing(CgroupHost host, JobCgroup job) {
        assertThat(host.cgroups()).isInstanceOfSatisfying(None.class, none -> {
            assertThat(none.reason()).isNotEmpty();
            assertThat(none.remedy()).isNotEmpty();
            assertThat(host.enforced().reason()).isEqualTo(none.reason());
            assertThat(host.enforced().remedy()).isEqualTo(none.remedy());
        });
        assertThat(host.enforced().held()).isEmpty();
        assertThat(job.supervisor()).isEmpty();
        assertThat(job.handles()).isEmpty();
        assertThat(job.usage()).isEqualTo(CgroupUsage.UNKNOWN);
        assertThat(job.freezable()).isFalse();
    }

    @Test
    void jobWithoutCgroupsHoldsNothingAndSaysSo() throws IOException {
        CgroupHost host = CgroupHost.open(new None("a test", "use another host"), DetectionView.real());
        JobCgroup job = HostCgroups.create(host, ControlPlaneName.current().job(0, "job"), LIMITS);
        holdsNothing(host, job);
        AtomicInteger released = new AtomicInteger();
        job.kill();
        assertThat(job.destroy(released::incrementAndGet)).isTrue();
        assertThat(released).hasValue(1);
        host.close();
    }
}
