package dev.cordon.cgroup.tree;

import dev.cordon.cgroup.CgroupFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The files of counters of one cgroup, by their names. Where there is no such cgroup, and after the end, all of them read as empty. */
public final class CounterFiles implements AutoCloseable {
    private final @Nullable Path group;
    private final Map<String, CounterFile> files = new HashMap<>();
    private boolean closed;

    public CounterFiles(@Nullable Path group) {
        this.group = group;
    }

    public String text(String name) {
        return group == null ? "" : file(group.resolve(name)).text();
    }

    /** The one number in a file. */
    public OptionalLong number(String name) {
        return CgroupFile.parse(text(name));
    }

    /** The value of a file's {@code key value} line; 0 when there is none. */
    public long count(String name, String key) {
        return CgroupFile.number(text(name), key).orElse(0);
    }

    /** Whether a file was read, or could be. */
    public boolean isThere(String name) {
        return group != null && file(group.resolve(name)).isThere();
    }

    /** Lets a file go that says nothing new any more. */
    void close(String name) {
        if (group != null) {
            file(group.resolve(name)).close();
        }
    }

    private synchronized CounterFile file(Path path) {
        CounterFile file = files.computeIfAbsent(path.toString(), name -> new CounterFile(path));
        if (closed) {
            file.close();
        }
        return file;
    }

    @Override
    public synchronized void close() {
        closed = true;
        files.values().forEach(CounterFile::close);
    }
}
