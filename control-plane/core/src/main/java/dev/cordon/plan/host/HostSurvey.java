package dev.cordon.plan.host;

import dev.cordon.config.Config;
import dev.cordon.config.HostShown;
import dev.cordon.config.IdRange;
import dev.cordon.job.Command;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Stdin;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostSource;
import dev.cordon.plan.facts.OpenFilesShare;
import dev.cordon.plan.planner.HostImage;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.plan.planner.RootLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the host for the {@link JobPlanner}; the one class here that reads files. What belongs to the host is looked at once, what a job
 * names at every job.
 */
public final class HostSurvey {
    private static final Duration RECENT = Duration.ofSeconds(1);

    /** What {@link dev.cordon.config.ShownFiles} writes for the directories of a program's versions, such as /etc/java-17-openjdk. */
    private static final String EVERY_VERSION = "-*";

    private final Path root;
    private final IdRange slots;
    private final Path runDirectory;
    private final Optional<Path> sysTree;
    private final long uid;
    private final long gid;
    private final boolean extraGroups;
    private final Set<String> shownFiles;
    private final Optional<HostIds.Subordinate> subordinate;
    private final SiteTrees site;
    private final WithheldFiles withheld;
    private @Nullable Recent recent;
    private volatile @Nullable OpenFilesShare openFiles;

    /**
     * Looks at the host.
     *
     * @param planeDirectory where work directories are made
     * @param sysTree        what jails are shown as /sys
     * @throws IOException when /proc cannot be read
     */
    public static HostSurvey of(Config config, Path planeDirectory, Path sysTree) throws IOException {
        return new HostSurvey(Path.of("/"), config.ids(), planeDirectory, config.hostShown(), Optional.of(sysTree));
    }

    /** Looks at the host, of which jails are shown what they usually are, and no /sys. */
    public HostSurvey(IdRange slots, Path runDirectory) throws IOException {
        this(Path.of("/"), slots, runDirectory, HostShown.STANDARD, Optional.empty());
    }

    HostSurvey(Path root, IdRange slots, Path runDirectory, HostShown shown, Optional<Path> sysTree)
            throws IOException {
        this.root = root;
        this.sysTree = sysTree;
        this.site = new SiteTrees(root, shown.usrLocal());
        this.slots = slots;
        this.runDirectory = runDirectory;
        Map<String, String> status = status();
        this.uid = effective(status, "Uid");
        this.withheld = new WithheldFiles(root, uid == 0);
        this.gid = effective(status, "Gid");
        this.extraGroups = hasOtherGroups(status, gid);
        this.shownFiles = Set.copyOf(shown.files());
        this.subordinate = uid == 0
                ? Optional.empty()
                : new SubordinateIds(root, uid, System.getProperty("user.name", ""))
                        .find(status.getOrDefault("NoNewPrivs", "0"));
    }

    /**
     * What the host was like a moment ago.
     *
     * @param facts  those for a job that names no path
     * @param site   what of the site's own is hidden
     * @param since  when it was looked at, by {@link System#nanoTime}
     */
    private record Recent(HostMounts mounts, HostFacts facts, SortedSet<String> site, long since) {}

    /** The facts for one job. */
    public HostFacts facts(JobSpec job) {
        Set<Path> paths = pathsOf(job);
        if (paths.isEmpty()) {
            return facts();
        }
        Map<Path, HostSource> sources = new HashMap<>();
        Recent recent = recent();
        HostMounts mounts = job.containment().mounts().isEmpty() ? recent.mounts() : mounts();
        List<String> shown = new ArrayList<>(shownTrees(recent.facts().image()));
        for (Path path : paths) {
            HostSource source = source(path, mounts);
            sources.put(path, source);
            shown.add(source.realPath().toString());
        }
        return facts(
                recent.facts().image(),
                sources,
                mounts.below(shown, HostImage.VAR_DIRECTORY),
                recent.facts().hidden());
    }

    /** Where a mount matters. Below /var are those of containers, or of servers that do not answer: none but what is shown is looked at. */
    private static List<String> shownTrees(SortedMap<String, HostEntry> image) {
        List<String> trees = new ArrayList<>(HostImage.TREES);
        trees.remove(HostImage.VAR_DIRECTORY);
        image.keySet().stream()
                .filter(path -> RootLayout.isBelow(path, HostImage.VAR_DIRECTORY))
                .forEach(trees::add);
        return trees;
    }

    /** What was mounted a second ago at most: nothing of it was named by the job, and reading it for every job would take time. */
    private synchronized Recent recent() {
        Recent known = recent;
        SortedSet<String> ofSite = site.hidden();
        long now = System.nanoTime();
        if (known == null || now - known.since() > RECENT.toNanos() || !ofSite.equals(known.site())) {
            HostMounts mounts = mounts();
            SortedMap<String, HostEntry> image = image(shownFiles);
            SortedSet<String> hidden = withheld.in(image);
            hidden.addAll(ofSite);
            known = new Recent(
                    mounts,
                    facts(image, Map.of(), mounts.below(shownTrees(image), HostImage.VAR_DIRECTORY), hidden),
                    ofSite,
                    now);
            recent = known;
        }
        return known;
    }

    /** Those that can be looked at: what another mount covers is not there to be shown. */
    private SortedSet<String> existing(SortedSet<String> paths, boolean directories) {
        SortedSet<String> found = new TreeSet<>(paths);
        found.removeIf(path -> {
            Path there = root.resolve(path.substring(1));
            return directories
                    ? !Files.isDirectory(there, LinkOption.NOFOLLOW_LINKS)
                    : !Files.exists(there, LinkOption.NOFOLLOW_LINKS)
                            || Files.isDirectory(there, LinkOption.NOFOLLOW_LINKS);
        });
        return found;
    }

    private HostFacts facts(
            SortedMap<String, HostEntry> image,
            Map<Path, HostSource> sources,
            SortedSet<String> points,
            SortedSet<String> hidden) {
        return new HostFacts(
                uid,
                gid,
                extraGroups,
                slots,
                subordinate,
                image,
                runDirectory,
                sysTree,
                sources,
                existing(points, true),
                existing(points, false),
                hidden);
    }

    private HostMounts mounts() {
        try {
            return HostMounts.of(Files.readAllLines(root.resolve("proc/self/mountinfo"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // Unknown is not none: without it no mount can be judged.
            throw new UncheckedIOException("the host's mounts cannot be read: " + e.getMessage(), e);
        }
    }

    /** The facts for what names no path of the host's. */
    public HostFacts facts() {
        return recent().facts();
    }

    /** The facts for a command in a sandbox that stands: looked at anew only for the files that it names. */
    public HostFacts commandFacts(JobSpec command) {
        return command.command() instanceof Command.Script || command.io().stdin() instanceof Stdin.FromFile
                ? facts(command)
                : lastFacts();
    }

    private synchronized HostFacts lastFacts() {
        Recent known = recent;
        return known == null ? facts() : known.facts();
    }

    /** The open files that all of the host together may have; read once, without bound where the kernel does not tell. */
    public OpenFilesShare openFiles() {
        OpenFilesShare known = openFiles;
        if (known == null) {
            known = new OpenFilesShare(fileMax());
            openFiles = known;
        }
        return known;
    }

    /** In one piece: the kernel's settings answer the first read alone, and Files.readString begins with a single byte. */
    private long fileMax() {
        try (BufferedReader file =
                Files.newBufferedReader(root.resolve("proc/sys/fs/file-max"), StandardCharsets.ISO_8859_1)) {
            String line = file.readLine();
            return line == null ? Long.MAX_VALUE : Long.parseLong(line.strip());
        } catch (IOException | NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** The effective uid of this process. */
    public long uid() {
        return uid;
    }

    /** The second of the four numbers: real, effective, saved, file system (proc(5)). */
    private static long effective(Map<String, String> status, String field) {
        return Long.parseLong(status.getOrDefault(field, "").split("\\s+", -1)[1]);
    }

    private static boolean hasOtherGroups(Map<String, String> status, long gid) {
        String own = Long.toString(gid);
        for (String group : status.getOrDefault("Groups", "").strip().split("\\s+", -1)) {
            if (!group.isEmpty() && !group.equals(own)) {
                return true;
            }
        }
        return false;
    }

    private Map<String, String> status() throws IOException {
        Map<String, String> fields = new HashMap<>();
        for (String line : Files.readAllLines(root.resolve("proc/self/status"), StandardCharsets.ISO_8859_1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        return fields;
    }

    /** What there is now: packages come and go while a service runs. */
    private SortedMap<String, HostEntry> image(Set<String> files) {
        SortedMap<String, HostEntry> found = new TreeMap<>();
        Map<Path, Boolean> parents = new HashMap<>();
        for (String path : HostImage.SYSTEM) {
            look(path, found, parents);
        }
        for (String path : files) {
            for (String version : versions(path)) {
                look(version, found, parents);
            }
        }
        return found;
    }

    /** What a path stands for that ends with a star: the directories of all versions, of which there may be none. */
    private List<String> versions(String path) {
        if (!path.endsWith(EVERY_VERSION)) {
            return List.of(path);
        }
        String begin = path.substring(0, path.length() - 1);
        Path first = root.resolve(begin.substring(1));
        Pattern names = Pattern.compile(Pattern.quote(String.valueOf(first.getFileName())) + "[0-9]+-.+");
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(first.resolveSibling("."))) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (names.matcher(name).matches()) {
                    found.add(begin.substring(0, begin.lastIndexOf('/') + 1) + name);
                }
            }
        } catch (IOException | DirectoryIteratorException absent) {
            return List.of(); // a host without it has none of it to show
        }
        return found;
    }

    private void look(String path, Map<String, HostEntry> found, Map<Path, Boolean> parents) {
        Path there = root.resolve(path.substring(1));
        try {
            BasicFileAttributes facts =
                    Files.readAttributes(there, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!parents.computeIfAbsent(there.resolveSibling("."), HostSurvey::isPlain)) {
                return;
            }
            if (facts.isSymbolicLink()) {
                found.put(path, new HostEntry.Link(Files.readSymbolicLink(there).toString()));
            } else if (facts.isDirectory()) {
                found.put(path, new HostEntry.Directory());
            } else if (facts.isRegularFile()) {
                found.put(path, new HostEntry.RegularFile());
            }
        } catch (IOException absent) {
            return;
        }
    }

    /** Whether no link leads there: init follows none. */
    private static boolean isPlain(Path directory) {
        try {
            return directory.normalize().equals(directory.toRealPath());
        } catch (IOException absent) {
            return false;
        }
    }

    private static Set<Path> pathsOf(JobSpec job) {
        Set<Path> paths = new HashSet<>();
        job.containment().mounts().stream().map(Mount::source).forEach(paths::add);
        if (job.command() instanceof Command.Script script) {
            paths.add(script.file());
        }
        if (job.io().stdin() instanceof Stdin.FromFile stdin) {
            paths.add(stdin.file());
        }
        if (job.containment().profile() instanceof ProfileRef.FromFile profile) {
            paths.add(profile.file());
        }
        return paths;
    }

    private static HostSource source(Path path, HostMounts mounts) {
        try {
            Path real = path.toRealPath();
            Map<String, Object> facts = Files.readAttributes(real, "unix:*", LinkOption.NOFOLLOW_LINKS);
            long owner = number(facts, "uid");
            return new HostSource(
                    kind(facts),
                    real,
                    owner,
                    number(facts, "gid"),
                    (int) number(facts, "mode") & 07777,
                    number(facts, "size"),
                    mounts.kernelShownBy(real),
                    isPrivateAbove(real, owner));
        } catch (IOException absent) {
            return HostSource.missing(path);
        }
    }

    private static HostSource.Kind kind(Map<String, Object> facts) {
        if (Boolean.TRUE.equals(facts.get("isDirectory"))) {
            return HostSource.Kind.DIRECTORY;
        }
        return Boolean.TRUE.equals(facts.get("isRegularFile")) ? HostSource.Kind.FILE : HostSource.Kind.OTHER;
    }

    /** The path's own mode does not count: the job, which owns it, could open it with chmod. What is above is out of its reach. */
    private static boolean isPrivateAbove(Path real, long owner) throws IOException {
        for (Path above = real.getParent(); above != null; above = above.getParent()) {
            Map<String, Object> facts = Files.readAttributes(above, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
            long uid = number(facts, "uid");
            if ((number(facts, "mode") & 077) == 0 && (uid == 0 || uid == owner)) {
                return true;
            }
        }
        return false;
    }

    private static long number(Map<String, Object> facts, String name) {
        return facts.get(name) instanceof Number value ? value.longValue() : -1;
    }
}
