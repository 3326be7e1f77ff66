package dev.cordon.cgroup;

import dev.cordon.cgroup.Cgroups.Legacy;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The same as on a host with v1 hierarchies alone: a hybrid one whose v2 tree is not looked at. */
@Tag("jail")
class LegacyJobCgroupTest extends JobCgroupTest {

    LegacyJobCgroupTest() throws IOException {}

    @Override
    CgroupHost open(Cgroups found) {
        return super.open(found instanceof Legacy legacy ? new Legacy(legacy.hierarchies(), Optional.empty()) : found);
    }
}
