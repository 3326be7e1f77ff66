package dev.cordon.cgroup.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupHandle;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.ControlPlaneName;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.host.CgroupHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The real host's cgroups for one test: whatever it makes and starts is gone at the end, also after a failure. */
public final class HostCgroups implements AutoCloseable {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final CgroupHost host;
    private final ControlPlaneName self = ControlPlaneName.current();
    private final List<JobCgroup> jobs = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    public HostCgroups(CgroupHost host) throws IOException {
        this.host = host;
    }

    public CgroupHost host() {
        return host;
    }

    public ControlPlaneName self() {
        return self;
    }

    public boolean usable() {
        return !(host.cgroups() instanceof CgroupSupport.None);
    }

    public JobCgroup create(CgroupLimits limits) throws IOException {
        return create(self, limits);
    }

    public JobCgroup create(ControlPlaneName owner, CgroupLimits limits) throws IOException {
        JobCgroup job = create(host, nextName(owner), limits);
        jobs.add(job);
        return job;
    }

    /** All of a job's cgroups in one step, with their limits; nothing is left behind when it fails. */
    public static JobCgroup create(CgroupHost host, JobName name, CgroupLimits limits) throws CgroupException {
        Optional<Path> _ = host.begin(name);
        try {
            host.make(name);
            return host.finish(name, limits);
        } catch (CgroupException refused) {
            host.abandon(name, () -> {});
            throw refused;
        }
    }

    public JobName nextName() {
        return nextName(self);
    }

    private static JobName nextName(ControlPlaneName owner) {
        return owner.job(NEXT.getAndIncrement(), "test");
    }

    public boolean destroy(JobCgroup job) {
        return destroy(job, () -> {});
    }

    public boolean destroy(JobCgroup job, Runnable whenGone) {
        jobs.remove(job);
        return job.destroy(whenGone);
    }

    /** Forgets a job: somebody else removes it. */
    public void abandon(JobCgroup job) {
        jobs.remove(job);
    }

    /** Runs a shell script that enters the job's cgroups first. */
    public Process start(JobCgroup job, String script) throws IOException {
        StringBuilder enter = new StringBuilder();
        for (Path directory : entrances(job)) {
            enter.append("echo 0 > ").append(directory.resolve("cgroup.procs")).append(" || exit 99\n");
        }
        Process process = new ProcessBuilder("sh", "-c", enter + script)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        processes.add(process);
        return process;
    }

    public List<Long> processes(JobCgroup job) throws IOException {
        return CgroupFile.readAll(entrances(job).getFirst().resolve("cgroup.procs"))
                .lines()
                .map(Long::valueOf)
                .toList();
    }

    /** The content of the file that has this name in v2, or the other one in v1. */
    public String shown(JobCgroup job, String unified, String legacy) throws IOException {
        for (Path directory : entrances(job)) {
            for (String name : List.of(unified, legacy)) {
                if (Files.exists(directory.resolve(name))) {
                    return CgroupFile.read(directory.resolve(name));
                }
            }
        }
        throw new AssertionError("no " + unified + " and no " + legacy + " in " + entrances(job));
    }

    /** All directories of a job that are there. */
    public List<Path> directories(JobCgroup job) {
        JobDirectories directories = host.tree().directories(job.name().fileName());
        List<Path> all = new ArrayList<>(directories.legacy());
        directories.unified().ifPresent(top -> all.addAll(ProcessList.withChildren(top)));
        return all.stream().filter(Files::exists).toList();
    }

    /** A block device of this host, as {@code major:minor}. */
    public static String device() throws IOException {
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(Path.of("/sys/block"))) {
            for (Path device : devices) {
                return CgroupFile.read(device.resolve("dev"));
            }
        }
        return "0:0";
    }

    /** Whether a process still does anything: one that nobody has reaped yet does not. */
    public static boolean runs(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException gone) {
            return false;
        }
    }

    @Override
    public void close() {
        jobs.forEach(job -> job.destroy(() -> {}));
        for (Process process : processes) {
            process.destroyForcibly();
            try {
                assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        assertThat(host.quarantined()).isEmpty();
        String mine = self.job(0, "x").fileName().replaceFirst("0-x$", "");
        for (Path base : host.tree().bases()) {
            assertThat(ProcessList.withChildren(base))
                    .noneMatch(
                            directory -> String.valueOf(directory.getFileName()).startsWith(mine));
        }
        host.close();
    }

    /** Where init would be born or write itself into. */
    private static List<Path> entrances(JobCgroup job) {
        List<Path> directories = new ArrayList<>();
        for (CgroupHandle handle : job.handles()) {
            switch (handle.role()) {
                case CGROUP -> directories.add(handle.path());
                case CGROUP_TASKS -> directories.add(handle.path().resolveSibling("."));
                default -> {}
            }
        }
        return directories.stream().map(Path::normalize).toList();
    }
}
