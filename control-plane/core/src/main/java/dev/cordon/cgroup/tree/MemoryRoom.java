package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupFile;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How much more memory one job can be charged for. Asked before the kernel is: beyond the limit that would not refuse, but kill. Cached
 * content of files on disks counts as room, since the kernel gives it up; what is in a tmpfs does not.
 */
public final class MemoryRoom implements AutoCloseable {

    /** Left to the kernel, which charges ahead for each processor, and to what the job itself takes meanwhile. */
    private static final long MOST_SPARE = 1L << 20;

    private static final int SPARE_PART = 16;

    private final CounterFile used;
    private final CounterFile statistics;
    private final CounterFile limitFile;
    private @Nullable OptionalLong limit;

    private MemoryRoom(Path group, String used, String limit) {
        this.used = new CounterFile(group.resolve(used));
        this.limitFile = new CounterFile(group.resolve(limit));
        this.statistics = new CounterFile(group.resolve("memory.stat"));
    }

    public static MemoryRoom unified(Path group) {
        return new MemoryRoom(group, "memory.current", "memory.max");
    }

    public static MemoryRoom legacy(Path group) {
        return new MemoryRoom(group, "memory.usage_in_bytes", "memory.limit_in_bytes");
    }

    /** Whether there is room for so many bytes; there is where nothing is counted or limited. */
    public boolean fits(long bytes) {
        OptionalLong most = limit();
        OptionalLong now = used.number();
        if (most.isEmpty() || now.isEmpty()) {
            return true;
        }
        long room = most.getAsLong() - Math.min(MOST_SPARE, most.getAsLong() / SPARE_PART) - now.getAsLong();
        return bytes <= room || bytes <= room + reclaimable();
    }

    private long reclaimable() {
        String text = statistics.text();
        return CgroupFile.number(text, "inactive_file").orElse(0)
                + CgroupFile.number(text, "active_file").orElse(0);
    }

    /** Set when the cgroup was made, and never again; asked again where it could not be read, as without descriptors. */
    private synchronized OptionalLong limit() {
        OptionalLong known = limit;
        if (known == null) {
            String text = limitFile.text();
            known = CgroupFile.parse(text);
            if (!text.isEmpty()) {
                limit = known;
                limitFile.close();
            }
        }
        return known;
    }

    @Override
    public void close() {
        used.close();
        statistics.close();
        limitFile.close();
    }
}
