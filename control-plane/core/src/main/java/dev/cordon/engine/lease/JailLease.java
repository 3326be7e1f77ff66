package dev.cordon.engine.lease;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.DescriptorRole;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupHandle;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.tree.JobCgroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one jail stands on: its host ids, its cgroups, its work directory. Given back once, after the supervisor is gone; the ids last,
 * so that nobody gets them while a process of the job could still be alive.
 */
public final class JailLease implements SandboxLease {
    private static final Logger LOG = LoggerFactory.getLogger(JailLease.class);

    private final long uid;
    private final long gid;
    private final @Nullable UidSlot slot;
    private final JobCgroup cgroup;
    private final @Nullable Path workDirectory;
    private final AtomicBoolean released = new AtomicBoolean();

    JailLease(long uid, long gid, @Nullable UidSlot slot, JobCgroup cgroup, @Nullable Path workDirectory) {
        this.uid = uid;
        this.gid = gid;
        this.slot = slot;
        this.cgroup = cgroup;
        this.workDirectory = workDirectory;
    }

    public long uid() {
        return uid;
    }

    public long gid() {
        return gid;
    }

    /** The cgroups that the job is shown, by name below /sys/fs/cgroup. */
    public Map<String, Path> shownCgroups() {
        return cgroup.shown();
    }

    /** Descriptors for the supervisor, each with its role; the receiver owns them. */
    public List<Given> handOver(Kernel kernel) throws ErrnoException {
        List<Given> given = new ArrayList<>();
        try {
            for (CgroupHandle handle : cgroup.handles()) {
                given.add(new Given(handle.role(), handle.open(kernel)));
            }
            if (slot != null) {
                given.add(new Given(DescriptorRole.LEASE, kernel.duplicate(slot.lock())));
            }
            return given;
        } catch (ErrnoException e) {
            given.forEach(each -> each.fd().close());
            throw e;
        }
    }

    /** A descriptor and what it is to the supervisor. */
    public record Given(DescriptorRole role, Fd fd) {}

    @Override
    public CgroupUsage usage() {
        try {
            return released.get() ? CgroupUsage.UNKNOWN : cgroup.usage();
        } catch (IllegalStateException e) {
            return CgroupUsage.UNKNOWN; // given back meanwhile
        }
    }

    @Override
    public CgroupUsage events() {
        try {
            return released.get() ? CgroupUsage.UNKNOWN : cgroup.events();
        } catch (IllegalStateException e) {
            return CgroupUsage.UNKNOWN; // given back meanwhile
        }
    }

    @Override
    public boolean fits(long bytes) {
        try {
            return released.get() || cgroup.fits(bytes);
        } catch (IllegalStateException e) {
            return true; // given back meanwhile
        }
    }

    @Override
    public boolean socketsOverflow() {
        return !released.get() && cgroup.socketsOverflow();
    }

    @Override
    public void kill() {
        if (!released.get()) {
            cgroup.kill();
        }
    }

    @Override
    public boolean freezable() {
        return cgroup.freezable();
    }

    @Override
    public void freeze() throws CgroupException {
        cgroup.freeze();
    }

    @Override
    public void thaw() throws CgroupException {
        cgroup.thaw();
    }

    @Override
    public void release() {
        if (!released.getAndSet(true)) {
            cgroup.destroy(this::giveBack);
        }
    }

    /** Nothing of the job is alive any more: nobody can put a link in the way, or keep the ids. */
    private void giveBack() {
        try {
            if (workDirectory != null) {
                WorkDirectory.delete(workDirectory);
            }
        } catch (IOException e) {
            LOG.warn("a work directory stays until the next sweep: {}", e.getMessage());
        } finally {
            if (slot != null) {
                slot.close();
            }
        }
    }
}
