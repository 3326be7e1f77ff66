package dev.cordon.cgroup.v2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupSupport.None;
import dev.cordon.cgroup.CgroupSupport.Placement;
import dev.cordon.cgroup.CgroupSupport.Unified;
import dev.cordon.cgroup.FakeCgroupHost;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnifiedDetectionTest {

    private static final String TOP = "/sys/fs/cgroup";
    private static final String SERVICE = TOP + "/system.slice/cordon.service";
    private static final String MANAGER = TOP + "/user.slice/user-1000.slice/user@1000.service";
    private static final Set<CgroupController> ALL =
            Set.of(CgroupController.CPU, CgroupController.IO, CgroupController.MEMORY, CgroupController.PIDS);
    private static final Set<CgroupController> OF_A_USER =
            Set.of(CgroupController.CPU, CgroupController.MEMORY, CgroupController.PIDS);

    private final FakeCgroupHost host;

    UnifiedDetectionTest(@TempDir Path root) {
        host = new FakeCgroupHost(root)
                .mounts("31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate")
                .group(TOP, FakeCgroupHost.ALL, "cpu io memory pids", "1");
    }

    @Test
    void delegatedServiceOfRoot() {
        systemd()
                .own("0::/system.slice/cordon.service")
                .groupOfOurs(SERVICE, FakeCgroupHost.ALL)
                .delegated(SERVICE)
                .writable(TOP, SERVICE);
        assertPlace(SERVICE, SERVICE, Placement.DELEGATED, ALL);
    }

    @Test
    void delegatedServiceThatHasMovedIntoItsLeaf() {
        systemd()
                .own("0::/system.slice/cordon.service/control")
                .group(SERVICE, FakeCgroupHost.ALL, "cpu io memory pids", "")
                .groupOfOurs(SERVICE + "/control", FakeCgroupHost.ALL)
                .delegated(SERVICE)
                .writable(TOP, SERVICE, SERVICE + "/control");
        assertPlace(SERVICE, SERVICE + "/control", Placement.DELEGATED, ALL);
    }

    @Test
    void delegatedServiceWithOtherProcessesIsLeftAlone() {
        systemd()
                .own("0::/system.slice/cordon.service")
                .group(SERVICE, FakeCgroupHost.ALL, "", "4711\n4712")
                .delegated(SERVICE)
                .writable(TOP, SERVICE);
        assertPlace(TOP, SERVICE, Placement.SHARED, ALL);
    }

    @Test
    void delegatedServiceOfAUserId() {
        systemd()
                .user(990)
                .own("0::/system.slice/cordon.service")
                .groupOfOurs(SERVICE, FakeCgroupHost.ALL)
                .writable(SERVICE);
        assertPlace(SERVICE, SERVICE, Placement.DELEGATED, ALL);
    }

    @Test
    void userServiceUsesWhatItsManagerHandsDown() {
        String unit = MANAGER + "/app.slice/shell.scope";
        systemd()
                .user(1000)
                .own("0::/user.slice/user-1000.slice/user@1000.service/app.slice/shell.scope")
                .group(MANAGER, "cpu memory pids", "cpu memory pids", "")
                .group(MANAGER + "/app.slice", "cpu memory pids", "", "")
                .group(unit, "", "", "4711\n1234")
                .writable(MANAGER, MANAGER + "/app.slice", unit);
        assertPlace(MANAGER, unit, Placement.SHARED, OF_A_USER);
    }

    @Test
    void userScopeOfItsOwnIsPreferred() {
        String unit = MANAGER + "/app.slice/run-1.scope";
        systemd()
                .user(1000)
                .own("0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-1.scope")
                .group(MANAGER, "cpu memory pids", "cpu memory pids", "")
                .group(MANAGER + "/app.slice", "cpu memory pids", "cpu memory pids", "")
                .groupOfOurs(unit, "cpu memory pids")
                .delegated(unit)
                .writable(MANAGER, MANAGER + "/app.slice", unit);
        assertPlace(unit, unit, Placement.DELEGATED, OF_A_USER);
    }

    @Test
    void loginSessionIsNotDelegated() {
        systemd()
                .user(1000)
                .own("0::/user.slice/user-1000.slice/session-2.scope")
                .group(TOP + "/user.slice/user-1000.slice/session-2.scope", "memory pids", "", "4711")
                .group(MANAGER, "cpu memory pids", "cpu memory pids", "")
                .writable(MANAGER);
        assertThat(host.detect()).isInstanceOfSatisfying(None.class, none -> {
            assertThat(none.reason()).contains("session-2.scope").contains("not delegated");
            assertThat(none.remedy()).contains("systemd-run --user --scope -p Delegate=yes");
        });
    }

    @Test
    void managerThatHandsNothingDown() {
        String unit = MANAGER + "/a.scope";
        systemd()
                .user(1000)
                .own("0::/user.slice/user-1000.slice/user@1000.service/a.scope")
                .group(MANAGER, "memory pids", "", "")
                .group(unit, "", "", "4711\n1")
                .writable(MANAGER, unit);
        assertThat(host.detect())
                .isInstanceOfSatisfying(
                        None.class, none -> assertThat(none.reason()).contains("no controller"));
    }

    @Test
    void rootWithoutSystemdUsesTheTop() {
        host.own("0::/").writable(TOP);
        assertPlace(TOP, TOP, Placement.TOP, ALL);
    }

    @Test
    void rootInALoginSessionTakesOnlyWhatIsOnAtTheTop() {
        String session = TOP + "/user.slice/user-0.slice/session-1.scope";
        systemd()
                .own("0::/user.slice/user-0.slice/session-1.scope")
                .group(TOP, FakeCgroupHost.ALL, "memory pids", "")
                .groupOfOurs(session, "")
                .writable(TOP, session);
        assertPlace(TOP, session, Placement.SHARED, Set.of(CgroupController.MEMORY, CgroupController.PIDS));
    }

    @Test
    void containerWithATreeOfItsOwn() {
        host.own("0::/")
                .file(TOP + "/cgroup.events", "populated 1")
                .groupOfOurs(TOP, FakeCgroupHost.ALL)
                .writable(TOP);
        assertPlace(TOP, TOP, Placement.DELEGATED, ALL);
    }

    @Test
    void containerThatSeesItsOwnPartOfTheHost() {
        host.mounts("31 23 0:28 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw")
                .own("0::/docker/abc")
                .file(TOP + "/cgroup.events", "populated 1")
                .groupOfOurs(TOP, FakeCgroupHost.ALL)
                .writable(TOP);
        assertPlace(TOP, TOP, Placement.DELEGATED, ALL);
    }

    @Test
    void readOnlyContainer() {
        host.own("0::/").file(TOP + "/cgroup.events", "populated 1").groupOfOurs(TOP, FakeCgroupHost.ALL);
        assertThat(host.detect())
                .isInstanceOfSatisfying(
                        None.class, none -> assertThat(none.reason()).contains("read-only"));
    }

    @Test
    void treeWithoutControllersAndNoOther() {
        host.own("0::/").group(TOP, "hugetlb rdma", "", "1").writable(TOP);
        assertThat(host.detect())
                .isInstanceOfSatisfying(
                        None.class,
                        none -> assertThat(none.reason()).contains("offers no memory, pids or cpu controller"));
    }

    @Test
    void processOutsideOfWhatIsMounted() {
        host.user(1000).own("0::/../elsewhere").writable(TOP);
        assertThat(host.detect())
                .isInstanceOfSatisfying(
                        None.class, none -> assertThat(none.reason()).contains("outside"));
    }

    private FakeCgroupHost systemd() {
        return host.file("/run/systemd/system/mark", "");
    }

    private void assertPlace(String home, String own, Placement placement, Set<CgroupController> controllers) {
        assertThat(host.detect()).isEqualTo(new Unified(host.at(home), host.at(own), placement, controllers));
    }
}
