package dev.cordon.cgroup.v2;

import dev.cordon.cgroup.CgroupController;
import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupHandle;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.CgroupSupport.Placement;
import dev.cordon.cgroup.CgroupSupport.Unified;
import dev.cordon.cgroup.IoLimit;
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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Jobs in the v2 hierarchy: {@code <home>/cordon/<name>/sup} without limits, {@code .../job} with them. */
public final class UnifiedTree implements CgroupTree {

    private static final String SUBTREE = "cgroup.subtree_control";

    private final Unified place;
    private final Path base;
    private final boolean swapOnHost;

    public UnifiedTree(Unified place, boolean swapOnHost) {
        this.place = place;
        this.base = place.base();
        this.swapOnHost = swapOnHost;
    }

    @Override
    public void prepare() throws CgroupException {
        if (place.placement() == Placement.DELEGATED && place.own().equals(place.home())) {
            // A cgroup with processes can't hand controllers down. The process moves with all of its threads.
            Path control = place.home().resolve(CgroupSupport.CONTROL);
            CgroupFile.makeDirectoryIfAbsent(control);
            CgroupFile.write(
                    control.resolve("cgroup.procs"),
                    Long.toString(ProcessHandle.current().pid()));
        }
        if (place.placement() != Placement.SHARED) {
            enable(place.home(), place.controllers());
        }
        CgroupFile.makeDirectoryIfAbsent(base);
        enable(base, place.controllers());
    }

    @Override
    public Optional<Path> begin(JobName name) throws CgroupException {
        Path top = base.resolve(name.fileName());
        Path supervisor = top.resolve(JobDirectories.SUPERVISOR);
        CgroupFile.makeDirectory(top);
        try {
            CgroupFile.write(top.resolve(SUBTREE), switchOn(place.controllers()));
            CgroupFile.makeDirectory(supervisor);
        } catch (CgroupException refused) {
            directories(name.fileName()).removeOnce();
            throw refused;
        }
        return Optional.of(supervisor);
    }

    @Override
    public void make(JobName name) throws CgroupException {
        CgroupFile.makeDirectory(base.resolve(name.fileName()).resolve(JobDirectories.JOB));
    }

    @Override
    public JobCgroup create(JobName name, CgroupLimits limits, CgroupQuarantine quarantine) throws CgroupException {
        Path top = base.resolve(name.fileName());
        Path job = top.resolve(JobDirectories.JOB);
        write(job, limits);
        var parts = new JobCgroup.Parts(
                directories(name.fileName()),
                Optional.of(top.resolve(JobDirectories.SUPERVISOR)),
                Optional.of(job),
                handles(job),
                Map.of("", job),
                Optional.of(CgroupFreezer.unified(job)),
                new UnifiedCounters(job));
        return new JobCgroup(name, parts, quarantine);
    }

    @Override
    public LimitEnforcement enforcement() {
        Set<WholeJobLimit> held = EnumSet.of(WholeJobLimit.CPU_TIME);
        for (CgroupController controller : place.controllers()) {
            switch (controller) {
                case MEMORY -> {
                    held.add(WholeJobLimit.MEMORY);
                    if (!swapOnHost || Files.exists(base.resolve("memory.swap.max"))) {
                        held.add(WholeJobLimit.SWAP);
                    }
                }
                case CPU -> held.add(WholeJobLimit.CPU_RATE);
                case PIDS -> held.add(WholeJobLimit.PIDS);
                case IO -> held.add(WholeJobLimit.IO);
                case CPUACCT, CPUSET, FREEZER ->
                    throw new IllegalStateException(controller + " is not a controller of v2");
            }
        }
        boolean all = held.equals(EnumSet.allOf(WholeJobLimit.class));
        return new LimitEnforcement(
                held,
                all ? "" : place.home() + " hands down " + names(place.controllers(), "") + " alone",
                all ? "" : "set Delegate=cpu memory pids io for the unit");
    }

    @Override
    public List<Path> bases() {
        return List.of(base);
    }

    @Override
    public JobDirectories directories(String name) {
        return new JobDirectories(Optional.of(base.resolve(name)), List.of());
    }

    private void write(Path job, CgroupLimits limits) throws CgroupException {
        if (place.controllers().contains(CgroupController.MEMORY)) {
            CgroupFile.setBytes(job.resolve("memory.max"), limits.memoryBytes());
            if (Files.exists(job.resolve("memory.swap.max"))) {
                CgroupFile.set(job.resolve("memory.swap.max"), "0");
            }
            CgroupFile.set(job.resolve("memory.oom.group"), "1");
        }
        if (place.controllers().contains(CgroupController.PIDS)) {
            CgroupFile.set(job.resolve("pids.max"), Long.toString(limits.pids()));
        }
        if (place.controllers().contains(CgroupController.CPU)) {
            CgroupFile.set(job.resolve("cpu.max"), limits.cpuQuotaMicros() + " " + CgroupLimits.CPU_PERIOD_MICROS);
        }
        if (place.controllers().contains(CgroupController.IO)) {
            for (IoLimit device : limits.io()) {
                write(job.resolve("io.max"), device);
            }
        }
    }

    private static void write(Path file, IoLimit device) throws CgroupException {
        CgroupFile.write(file, device.line());
        String shown = CgroupFile.read(file);
        if (shown.lines().noneMatch(device.line()::equals)) {
            throw CgroupException.notTaken(file, device.line(), shown);
        }
    }

    private static List<CgroupHandle> handles(Path job) {
        List<CgroupHandle> handles = new ArrayList<>();
        handles.add(CgroupHandle.directory(job));
        handles.add(CgroupHandle.cpuUsage(job.resolve("cpu.stat")));
        if (Files.exists(job.resolve("cgroup.kill"))) {
            handles.add(CgroupHandle.kill(job));
        }
        return List.copyOf(handles);
    }

    /** Writes only when something is missing: the directory may be shared, or be our unit from an earlier start. */
    private static void enable(Path directory, Set<CgroupController> controllers) throws CgroupException {
        Set<CgroupController> missing = EnumSet.copyOf(controllers);
        missing.removeAll(
                CgroupController.among(UnifiedDetection.words(directory.resolve(SUBTREE)), CgroupController.OF_V2));
        if (!missing.isEmpty()) {
            CgroupFile.write(directory.resolve(SUBTREE), switchOn(missing));
        }
    }

    private static String switchOn(Set<CgroupController> controllers) {
        return names(controllers, "+");
    }

    private static String names(Set<CgroupController> controllers, String sign) {
        Set<String> names = new TreeSet<>();
        controllers.forEach(controller -> names.add(sign + controller.kernelName()));
        return String.join(" ", names);
    }
}
