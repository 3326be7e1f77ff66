package dev.cordon.quota;

import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The memory that this process and its jobs can have at all: the host's, or what a cgroup around them leaves of it.
 *
 * @param root the root of the host's files
 */
record HostMemory(Path root) {
    private static final String TOTAL = "MemTotal:";

    static ByteSize here() {
        return new HostMemory(Path.of("/")).total();
    }

    /** Where not even the kernel tells: nothing, so that one job runs at a time. */
    ByteSize total() {
        long least = line("proc/meminfo", TOTAL).orElse(0) * 1024;
        for (String group : groups()) {
            least = Math.min(least, limit(group));
        }
        return ByteSize.bytes(Math.max(0, least));
    }

    /** The cgroup of this process, as {@code memory PATH} for v1 and {@code PATH} for v2. */
    private Iterable<String> groups() {
        return read("proc/self/cgroup")
                .lines()
                .map(each -> each.split(":", 3))
                .filter(parts ->
                        parts.length == 3 && (parts[1].isEmpty() || ("," + parts[1] + ",").contains(",memory,")))
                .map(parts -> (parts[1].isEmpty() ? "" : "memory") + parts[2])
                .toList();
    }

    /** The least limit of a cgroup and those above it. */
    private long limit(String group) {
        long least = Long.MAX_VALUE;
        boolean legacy = group.startsWith("memory");
        for (String path = group; path.length() > (legacy ? "memory".length() : 0); path = parent(path)) {
            String file = "sys/fs/cgroup/" + (path.startsWith("/") ? path.substring(1) : path)
                    + (legacy ? "/memory.limit_in_bytes" : "/memory.max");
            least = Math.min(least, number(read(file)).orElse(Long.MAX_VALUE));
        }
        return least;
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    private OptionalLong line(String file, String key) {
        return read(file)
                .lines()
                .filter(each -> each.startsWith(key))
                .mapToLong(each ->
                        number(each.substring(key.length()).replace("kB", "")).orElse(0))
                .findFirst();
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text.strip()));
        } catch (NumberFormatException e) {
            return OptionalLong.empty(); // "max", or no such file
        }
    }

    private String read(String file) {
        try {
            return Files.readString(root.resolve(file));
        } catch (IOException e) {
            return "";
        }
    }
}
