package dev.cordon.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The real host's cgroups for one test: whatever it makes and starts is gone at the end, also after a failure. */
final class HostCgroups implements AutoCloseable {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final CgroupHost host;
    private final Owner self = Owner.current();
    private final List<JobCgroup> jobs = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    HostCgroups(CgroupHost host) throws IOException {
        this.host = host;
    }

    CgroupHost host() {
        return host;
    }

    Owner self() {
        return self;
    }

    boolean usable() {
        return !(host.cgroups() instanceof Cgroups.None);
    }

    JobCgroup create(CgroupLimits limits) throws IOException {
        return create(self, limits);
    }

    JobCgroup create(Owner owner, CgroupLimits limits) throws IOException {
        JobCgroup job = host.create(nextName(owner), limits);
        jobs.add(job);
        return job;
    }

    JobName nextName() {
        return nextName(self);
    }

    private static JobName nextName(Owner owner) {
        return owner.job(NEXT.getAndIncrement(), "test");
    }

    boolean destroy(JobCgroup job) {
        return destroy(job, () -> {});
    }

    boolean destroy(JobCgroup job, Runnable whenGone) {
        jobs.remove(job);
        return job.destroy(whenGone);
    }

    /** Forgets a job: somebody else removes it. */
    void abandon(JobCgroup job) {
        jobs.remove(job);
    }

    /** Runs a shell script that enters the job's cgroups first. */
    Process start(JobCgroup job, String script) throws IOException {
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

    List<Long> processes(JobCgroup job) throws IOException {
        return CgroupFile.readAll(entrances(job).getFirst().resolve("cgroup.procs"))
                .lines()
                .map(Long::valueOf)
                .toList();
    }

    /** The content of the file that has this name in v2, or the other one in v1. */
    String shown(JobCgroup job, String unified, String legacy) throws IOException {
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
    List<Path> directories(JobCgroup job) {
        JobDirectories directories = host.tree().directories(job.name().fileName());
        List<Path> all = new ArrayList<>(directories.legacy());
        directories.unified().ifPresent(top -> all.addAll(ProcessList.withChildren(top)));
        return all.stream().filter(Files::exists).toList();
    }

    /** A block device of this host, as {@code major:minor}. */
    static String device() throws IOException {
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(Path.of("/sys/block"))) {
            for (Path device : devices) {
                return CgroupFile.read(device.resolve("dev"));
            }
        }
        return "0:0";
    }

    /** Whether a process still does anything: one that nobody has reaped yet does not. */
    static boolean runs(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException gone) {
            return false;
        }
    }

    @Override
    public void close() {
        jobs.forEach(JobCgroup::destroy);
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
        for (Handle handle : job.handles()) {
            switch (handle.role()) {
                case CGROUP -> directories.add(handle.path());
                case CGROUP_TASKS -> directories.add(handle.path().resolveSibling("."));
                default -> {}
            }
        }
        return directories.stream().map(Path::normalize).toList();
    }
}
