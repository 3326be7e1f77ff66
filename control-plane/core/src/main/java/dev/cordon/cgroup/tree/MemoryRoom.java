package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupFile;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How much more memory one job can be charged for. Asked before the kernel is: beyond the limit that would not refuse, but kill. Cached
 * content of files on disks counts as room, since the kernel gives it up; what is in a tmpfs does not.
 */
public final class MemoryRoom {

    /** Left to the kernel, which charges ahead for each processor, and to what the job itself takes meanwhile. */
    private static final long MOST_SPARE = 1L << 20;

    private static final int SPARE_PART = 16;

    private final CounterFiles memory;
    private final String usedFile;
    private final String limitFile;
    private @Nullable OptionalLong limit;

    private MemoryRoom(CounterFiles memory, String usedFile, String limitFile) {
        this.memory = memory;
        this.usedFile = usedFile;
        this.limitFile = limitFile;
    }

    public static MemoryRoom unified(CounterFiles memory) {
        return new MemoryRoom(memory, "memory.current", "memory.max");
    }

    public static MemoryRoom legacy(CounterFiles memory) {
        return new MemoryRoom(memory, "memory.usage_in_bytes", "memory.limit_in_bytes");
    }

    /** Whether there is room for so many bytes; there is where nothing is counted or limited. */
    public boolean fits(long bytes) {
        OptionalLong most = limit();
        OptionalLong now = memory.number(usedFile);
        if (most.isEmpty() || now.isEmpty()) {
            return true;
        }
        long room = most.getAsLong() - Math.min(MOST_SPARE, most.getAsLong() / SPARE_PART) - now.getAsLong();
        return bytes <= room || bytes <= room + reclaimable();
    }

    private long reclaimable() {
        String text = memory.text("memory.stat");
        return CgroupFile.number(text, "inactive_file").orElse(0)
                + CgroupFile.number(text, "active_file").orElse(0);
    }

    /** Set when the cgroup was made, and never again; asked again where it could not be read, as without descriptors. */
    private synchronized OptionalLong limit() {
        OptionalLong known = limit;
        if (known == null) {
            String text = memory.text(limitFile);
            known = CgroupFile.parse(text);
            if (!text.isEmpty()) {
                limit = known;
                memory.close(limitFile);
            }
        }
        return known;
    }
}
