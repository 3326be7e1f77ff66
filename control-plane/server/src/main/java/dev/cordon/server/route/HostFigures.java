package dev.cordon.server.route;

import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What the host has and how much of it is left. Whatever cannot be looked at is null: the figures are for people, nothing depends on them. */
final class HostFigures {
    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private HostFigures() {}

    /**
     * As they are now.
     *
     * @param state where the service keeps its state: the disk that fills
     */
    static ObjectNode of(Path state) {
        ObjectNode host = JsonTree.object().put("cpus", Runtime.getRuntime().availableProcessors());
        host.put("load_1m", load(text(LOAD)));
        String memory = text(MEMORY);
        host.put("memory_bytes", kibibytes(memory, "MemTotal:"));
        host.put("memory_available_bytes", kibibytes(memory, "MemAvailable:"));
        disk(host, state);
        return host;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    /** The first of its figures: jobs that ran or wanted to, over a minute. */
    static @Nullable Double load(String loadavg) {
        String first = loadavg.strip().split("\\s+", 2)[0];
        return first.matches("[0-9]{1,9}\\.[0-9]{1,9}") ? (Double) Double.parseDouble(first) : null;
    }

    /** A line of the file in bytes. */
    static @Nullable Long kibibytes(String meminfo, String name) {
        return meminfo.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).replace("kB", "").strip())
                .filter(text -> text.matches("[0-9]{1,15}"))
                .map(text -> Long.parseLong(text) << 10)
                .findFirst()
                .orElse(null);
    }

    private static void disk(ObjectNode host, Path state) {
        Long size = null;
        Long free = null;
        try {
            FileStore store = Files.getFileStore(state);
            size = store.getTotalSpace();
            free = store.getUsableSpace();
        } catch (IOException e) {
            // both are null
        }
        host.put("disk_bytes", size).put("disk_free_bytes", free);
    }
}
