package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.CgroupSupport.Legacy;
import dev.cordon.cgroup.CgroupSupport.None;
import dev.cordon.cgroup.host.CgroupHost;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/**
 * JobCgroupJailTest on a host with v1 hierarchies alone: a hybrid one whose v2 tree is not looked at. A host whose controllers are
 * all in v2 has nothing to offer then.
 */
@Tag("jail")
@Tag("asUser")
class LegacyJobCgroupJailTest extends JobCgroupJailTest {

    LegacyJobCgroupJailTest() throws IOException {}

    @Override
    CgroupHost open(CgroupSupport found) {
        return super.open(
                found instanceof Legacy legacy
                        ? new Legacy(legacy.hierarchies(), Optional.empty())
                        : new None("the test looks at v1 alone", "none"));
    }
}
