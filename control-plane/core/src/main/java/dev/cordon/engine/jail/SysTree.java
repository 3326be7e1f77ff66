package dev.cordon.engine.jail;

import dev.cordon.files.RunDirectory;
import dev.cordon.vm.time.RetryBackoff;
import dev.cordon.vm.time.WaitDeadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What jails are shown at /sys: copies of the files by which programs learn how many processors there are and how their caches are shared,
 * and the places for the job's cgroups. Nothing in it names the host, not even a processor, or counts what it does. It is made once for each
 * boot, below the run directory, and shown to every jail through an overlay of its own.
 */
public final class SysTree {
    private static final List<String> HIERARCHIES = List.of("cpu", "cpuacct", "cpuset", "memory", "pids");
    private static final String CPUS = "devices/system/cpu";
    private static final String NODES = "devices/system/node";
    private static final String HUGE_PAGES = "kernel/mm/transparent_hugepage";
    private static final Pattern CPU = Pattern.compile("cpu[0-9]+");
    private static final Pattern NODE = Pattern.compile("node[0-9]+");
    private static final Pattern CACHE = Pattern.compile("index[0-9]+");
    private static final Set<String> OF_ALL_CPUS = Set.of("kernel_max", "offline", "online", "possible", "present");
    private static final Set<String> OF_ALL_NODES = Set.of("has_cpu", "has_memory", "online", "possible");
    private static final Set<String> OF_NODE = Set.of("cpulist", "cpumap", "distance");
    private static final Set<String> OF_CACHE = Set.of(
            "coherency_line_size",
            "id",
            "level",
            "number_of_sets",
            "physical_line_partition",
            "shared_cpu_list",
            "shared_cpu_map",
            "size",
            "type",
            "ways_of_associativity");
    private static final Set<String> OF_TOPOLOGY = Set.of( // not ppin: it is the processor's serial number
            "cluster_cpus",
            "cluster_cpus_list",
            "cluster_id",
            "core_cpus",
            "core_cpus_list",
            "core_id",
            "core_siblings",
            "core_siblings_list",
            "die_cpus",
            "die_cpus_list",
            "die_id",
            "package_cpus",
            "package_cpus_list",
            "physical_package_id",
            "thread_siblings",
            "thread_siblings_list");
    private static final Set<String> OF_HUGE_PAGES = Set.of("enabled", "hpage_pmd_size", "shmem_enabled");
    private static final String NAME = "sys.1";
    private static final String LOCK = "sys.lock";
    private static final String UNFINISHED = ".sys.";
    private static final Object MAKERS = new Object();
    private static final Duration FIRST_WAIT = Duration.ofMillis(1);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(50);

    /** Another process makes the tree within milliseconds. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Files of /sys have a page at most. */
    private static final int MOST_BYTES = 4096;

    private final Path source;
    private final Path runDirectory;
    private final Path tree;
    private final String boot;

    private SysTree(Path source, Path runDirectory, String boot) {
        this.source = source;
        this.runDirectory = runDirectory;
        this.tree = runDirectory.resolve(NAME);
        this.boot = boot;
    }

    /** Of this host and this boot; nothing is made yet. */
    public static SysTree below(Path runDirectory) throws IOException {
        return of(
                Path.of("/sys"),
                runDirectory,
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id"), StandardCharsets.US_ASCII));
    }

    static SysTree of(Path source, Path runDirectory, String boot) {
        return new SysTree(source, runDirectory, boot);
    }

    /** Its directory. */
    public Path path() {
        return tree;
    }

    /**
     * Makes it unless it is there, whole and of this boot.
     *
     * @param uid of this process
     * @throws IOException when it cannot be made, or another process keeps it from being made
     */
    public void make(long uid) throws IOException {
        make(uid, PATIENCE);
    }

    void make(long uid, Duration patience) throws IOException {
        RunDirectory.prepare(runDirectory, uid);
        try {
            if (isCurrent(uid)) {
                return;
            }
            synchronized (MAKERS) { // a file lock is held by the whole process
                makeLocked(uid, WaitDeadline.in(patience));
            }
        } catch (UncheckedIOException | DirectoryIteratorException e) {
            throw new IOException(e.getCause());
        }
    }

    /** Only this user can open the lock: whoever could read it could keep it. */
    private void makeLocked(long uid, WaitDeadline deadline) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        runDirectory.resolve(LOCK),
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                FileLock lock = lock(channel, deadline)) {
            if (lock.isValid() && !isCurrent(uid)) {
                renew();
            }
        }
    }

    private static FileLock lock(FileChannel channel, WaitDeadline deadline) throws IOException {
        RetryBackoff backoff = new RetryBackoff(FIRST_WAIT, LONGEST_WAIT);
        FileLock lock = channel.tryLock();
        while (lock == null) {
            if (deadline.passed()) {
                throw new IOException("another process keeps the lock of the tree for /sys");
            }
            backoff.pause();
            lock = channel.tryLock();
        }
        return lock;
    }

    private Path stamp() {
        return runDirectory.resolve(NAME + ".boot");
    }

    /** Whoever cleans old files away may have taken a part of it. */
    private boolean isCurrent(long uid) throws IOException {
        if (!Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)
                || !Files.isRegularFile(stamp(), LinkOption.NOFOLLOW_LINKS)
                || !Files.readString(stamp()).equals(boot)) {
            return false;
        }
        Map<String, Object> facts = Files.readAttributes(tree, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
        return facts.get("uid") instanceof Integer owner
                && owner == uid
                && facts.get("mode") instanceof Integer mode
                && (mode & 022) == 0
                && HIERARCHIES.stream().allMatch(hierarchy -> Files.isDirectory(place(tree, hierarchy)));
    }

    private static Path place(Path tree, String hierarchy) {
        return tree.resolve("fs/cgroup").resolve(hierarchy);
    }

    private void renew() throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(runDirectory, UNFINISHED + "*")) {
            for (Path unfinished : left) {
                delete(unfinished);
            }
        }
        Path fresh = Files.createTempDirectory(runDirectory, UNFINISHED);
        Path old = Files.createTempDirectory(runDirectory, UNFINISHED);
        try {
            fill(fresh);
            openToJobs(fresh);
            if (Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(tree, old.resolve(NAME)); // at once: others start jobs meanwhile
            }
            Files.move(fresh, tree);
            Files.writeString(stamp(), boot);
        } finally {
            delete(fresh);
            delete(old);
        }
    }

    private void fill(Path fresh) throws IOException {
        for (String hierarchy : HIERARCHIES) {
            Files.createDirectories(place(fresh, hierarchy));
        }
        copy(fresh, CPUS, OF_ALL_CPUS);
        for (String cpu : children(CPUS, CPU)) {
            copy(fresh, cpu + "/topology", OF_TOPOLOGY);
            for (String cache : children(cpu + "/cache", CACHE)) {
                copy(fresh, cache, OF_CACHE);
            }
        }
        copy(fresh, NODES, OF_ALL_NODES);
        for (String node : children(NODES, NODE)) {
            copy(fresh, node, OF_NODE);
        }
        copy(fresh, HUGE_PAGES, OF_HUGE_PAGES);
    }

    /** A job has an id of its own, and a service a mask that keeps what it makes to itself. */
    private static void openToJobs(Path fresh) throws IOException {
        try (Stream<Path> all = Files.walk(fresh)) {
            for (Path each : all.toList()) {
                Files.setPosixFilePermissions(
                        each, PosixFilePermissions.fromString(Files.isDirectory(each) ? "rwxr-xr-x" : "r--r--r--"));
            }
        }
    }

    private List<String> children(String directory, Pattern name) throws IOException {
        Path there = source.resolve(directory);
        if (!Files.isDirectory(there)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(there)) {
            return all.map(child -> child.getFileName().toString())
                    .filter(child -> name.matcher(child).matches())
                    .sorted()
                    .map(child -> directory + "/" + child)
                    .toList();
        }
    }

    /** The files of these names that everybody may read. */
    private void copy(Path fresh, String directory, Set<String> names) throws IOException {
        Path from = source.resolve(directory);
        if (!Files.isDirectory(from)) {
            return;
        }
        Path to = Files.createDirectories(fresh.resolve(directory));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (names.contains(name)
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                    Files.write(to.resolve(name), content(file));
                }
            }
        }
    }

    /** Empty where the kernel has no answer for this processor. */
    private static byte[] content(Path file) {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(MOST_BYTES);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
