package dev.cordon.cgroup.v1;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupHandle;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.CgroupSupport.Legacy;
import dev.cordon.cgroup.CgroupSupport.None;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.LimitEnforcement;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.cgroup.tree.CgroupFreezer;
import dev.cordon.cgroup.tree.CgroupQuarantine;
import dev.cordon.cgroup.tree.CgroupTree;
import dev.cordon.cgroup.tree.JobCgroup;
import dev.cordon.cgroup.tree.JobDirectories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs in v1 hierarchies: {@code <hierarchy>/cordon/<name>} in each. On a hybrid host the v2 tree has them too, and does
 * what it can without controllers: killing, freezing, CPU time. There the supervisor sits in {@code <name>} itself, which
 * saves a directory: without controllers a v2 cgroup may have processes and children.
 */
public final class LegacyTrees implements CgroupTree {
    private static final Logger LOG = LoggerFactory.getLogger(LegacyTrees.class);

    /** What the v2 tree of a hybrid host does better. */
    private static final Set<CgroupController> DONE_BY_V2 = EnumSet.of(CgroupController.FREEZER);

    /** What programs look at for their limits. */
    private static final Set<CgroupController> SHOWN = EnumSet.of(
            CgroupController.MEMORY,
            CgroupController.CPU,
            CgroupController.CPUACCT,
            CgroupController.CPUSET,
            CgroupController.PIDS);

    /**
     * The parents of jobs' directories.
     *
     * @param legacy for each controller
     * @param unified in the v2 tree
     */
    private record Bases(Map<CgroupController, Path> legacy, Optional<Path> unified) {

        JobDirectories directories(String name) {
            return new JobDirectories(
                    unified.map(base -> base.resolve(name)),
                    distinct(groups(name).values()));
        }

        Map<CgroupController, Path> groups(String name) {
            Map<CgroupController, Path> groups = new EnumMap<>(CgroupController.class);
            legacy.forEach((controller, base) -> groups.put(controller, base.resolve(name)));
            return groups;
        }
    }

    private final Bases possible;
    private final boolean swapOnHost;
    private final None lack;
    private volatile Bases used;
    private volatile Optional<ProcessorSet> confined = Optional.empty();

    private LegacyTrees(Legacy place, boolean swapOnHost, None lack) {
        Map<CgroupController, Path> legacy = new EnumMap<>(CgroupController.class);
        place.hierarchies().forEach((controller, top) -> legacy.put(controller, top.resolve(CgroupSupport.BASE)));
        this.possible = new Bases(legacy, place.unified().map(top -> top.resolve(CgroupSupport.BASE)));
        this.swapOnHost = swapOnHost;
        this.lack = lack;
        this.used = possible;
    }

    public LegacyTrees(Legacy place, boolean swapOnHost) {
        this(
                place,
                swapOnHost,
                new None(
                        "the controllers are bound to cgroup v1 hierarchies",
                        "boot with systemd.unified_cgroup_hierarchy=1, or with cgroup_no_v1=all, for the limits that v1"
                                + " lacks"));
    }

    /**
     * In no hierarchy at all, on a host without usable cgroups: jobs run, and nothing is held for them as a whole. The supervisor ends them
     * by killing the init of their pid namespace.
     *
     * @param lack why
     */
    public LegacyTrees(None lack) {
        this(new Legacy(Map.of(), Optional.empty()), false, lack);
    }

    @Override
    public void prepare() throws CgroupException {
        Optional<Path> v2 = possible.unified();
        if (v2.isPresent()) {
            CgroupFile.makeDirectoryIfAbsent(v2.get());
            // Linux 5.14; before that the v1 freezer does more.
            v2 = v2.filter(base -> Files.exists(base.resolve("cgroup.kill")));
        }
        Map<CgroupController, Path> legacy = new EnumMap<>(possible.legacy());
        if (v2.isPresent()) {
            legacy.keySet().removeAll(DONE_BY_V2);
        }
        for (Path base : distinct(legacy.values())) {
            CgroupFile.makeDirectoryIfAbsent(base);
        }
        Path cpuset = legacy.get(CgroupController.CPUSET);
        if (cpuset != null && !inherits(cpuset)) {
            legacy.remove(CgroupController.CPUSET);
        } else if (cpuset != null) {
            ProcessorSet own = ProcessorSet.ofThisProcess();
            confined = own.isAllOf(cpuset) ? Optional.empty() : Optional.of(own);
        }
        used = new Bases(legacy, v2);
    }

    @Override
    public Optional<Path> begin(JobName name) throws CgroupException {
        Optional<Path> supervisor = used.directories(name.fileName()).unified();
        if (supervisor.isPresent()) {
            CgroupFile.makeDirectory(supervisor.get());
        }
        return supervisor;
    }

    @Override
    public void make(JobName name) throws CgroupException {
        JobDirectories directories = used.directories(name.fileName());
        List<Path> made = new ArrayList<>(directories.legacy());
        directories.unified().map(top -> top.resolve(JobDirectories.JOB)).ifPresent(made::add);
        make(made);
    }

    @Override
    public JobCgroup create(JobName name, CgroupLimits limits, CgroupQuarantine quarantine) throws CgroupException {
        Bases bases = used;
        Map<CgroupController, Path> groups = bases.groups(name.fileName());
        JobDirectories directories = bases.directories(name.fileName());
        Optional<Path> job = directories.unified().map(top -> top.resolve(JobDirectories.JOB));
        LegacyLimits.write(groups, limits);
        Path cpuset = groups.get(CgroupController.CPUSET);
        if (cpuset != null && CgroupFile.read(cpuset.resolve("cpuset.cpus")).isEmpty()) {
            fill(cpuset); // made while another control plane was making what is above it
        }
        Optional<ProcessorSet> own = confined;
        if (cpuset != null && own.isPresent()) {
            own.get().confine(cpuset);
        }
        var parts = new JobCgroup.Parts(
                directories,
                directories.unified(),
                job,
                handles(groups, directories.legacy(), job),
                shown(groups),
                job.map(CgroupFreezer::unified)
                        .or(() -> Optional.ofNullable(groups.get(CgroupController.FREEZER))
                                .map(CgroupFreezer::legacy)),
                new LegacyCounters(groups, job, limits));
        return new JobCgroup(name, parts, quarantine);
    }

    @Override
    public LimitEnforcement enforcement() {
        Set<WholeJobLimit> held = EnumSet.noneOf(WholeJobLimit.class);
        Map<CgroupController, Path> bases = used.legacy();
        Path memory = bases.get(CgroupController.MEMORY);
        if (memory != null) {
            if (LegacyLimits.socketsCanBeHeld(memory)) {
                held.add(WholeJobLimit.MEMORY);
            }
            if (!swapOnHost || LegacyLimits.swapCanBeHeld(memory)) {
                held.add(WholeJobLimit.SWAP);
            }
        }
        if (bases.containsKey(CgroupController.PIDS)) {
            held.add(WholeJobLimit.PIDS);
        }
        if (bases.containsKey(CgroupController.CPU)) {
            held.add(WholeJobLimit.CPU_RATE);
        }
        if (used.unified().isPresent() || bases.containsKey(CgroupController.CPUACCT)) {
            held.add(WholeJobLimit.CPU_TIME);
        }
        return new LimitEnforcement(held, lack.reason(), lack.remedy());
    }

    @Override
    public List<Path> bases() {
        List<Path> all = new ArrayList<>(distinct(possible.legacy().values()));
        possible.unified().ifPresent(all::add);
        return List.copyOf(all);
    }

    @Override
    public JobDirectories directories(String name) {
        return possible.directories(name);
    }

    /** Makes all of them, or none: those that were there before are somebody else's. */
    private static void make(List<Path> directories) throws CgroupException {
        Deque<Path> made = new ArrayDeque<>();
        try {
            for (Path directory : directories) {
                CgroupFile.makeDirectory(directory);
                made.push(directory);
            }
        } catch (CgroupException refused) {
            made.forEach(CgroupFile::removeDirectory);
            throw refused;
        }
    }

    private static List<CgroupHandle> handles(
            Map<CgroupController, Path> groups, List<Path> directories, Optional<Path> job) {
        List<CgroupHandle> handles = new ArrayList<>();
        Path accounting = groups.get(CgroupController.CPUACCT);
        if (job.isPresent()) {
            handles.add(CgroupHandle.directory(job.get()));
            handles.add(CgroupHandle.kill(job.get()));
            handles.add(CgroupHandle.cpuUsage(job.get().resolve("cpu.stat")));
        } else if (accounting != null) {
            handles.add(CgroupHandle.cpuUsage(accounting.resolve("cpuacct.usage")));
        }
        directories.forEach(directory -> handles.add(CgroupHandle.tasks(directory)));
        return List.copyOf(handles);
    }

    /** A new cpuset is empty, and nobody can join an empty one: those of jobs begin with all that is above them. */
    private static boolean inherits(Path cpuset) {
        try {
            copyFromAbove(cpuset);
            CgroupFile.set(cpuset.resolve("cgroup.clone_children"), "1");
            return true;
        } catch (CgroupException e) {
            LOG.debug("jobs are not shown their CPUs: {}", e.getMessage());
            return false;
        }
    }

    private static void fill(Path group) throws CgroupException {
        Path base = group.getParent();
        if (base != null) {
            copyFromAbove(base);
        }
        copyFromAbove(group);
    }

    private static void copyFromAbove(Path group) throws CgroupException {
        for (String file : List.of("cpuset.cpus", "cpuset.mems")) {
            String above = CgroupFile.read(group.resolveSibling(file));
            if (!CgroupFile.read(group.resolve(file)).equals(above)) {
                CgroupFile.set(group.resolve(file), above);
            }
        }
    }

    private static Map<String, Path> shown(Map<CgroupController, Path> groups) {
        Map<String, Path> shown = new TreeMap<>();
        groups.forEach((controller, group) -> {
            if (SHOWN.contains(controller)) {
                shown.put(controller.kernelName(), group);
            }
        });
        return shown;
    }

    /** Hierarchies may hold several controllers, as cpu and cpuacct often do. */
    private static List<Path> distinct(Collection<Path> paths) {
        return List.copyOf(new LinkedHashSet<>(paths));
    }
}
