package dev.cordon.selftest;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.selftest.probe.AbstractSocketsProbe;
import dev.cordon.selftest.probe.CountersProbe;
import dev.cordon.selftest.probe.DescriptorsProbe;
import dev.cordon.selftest.probe.EgressProbe;
import dev.cordon.selftest.probe.HostileDirectoryProbe;
import dev.cordon.selftest.probe.IdsProbe;
import dev.cordon.selftest.probe.IngressProbe;
import dev.cordon.selftest.probe.LocksProbe;
import dev.cordon.selftest.probe.MeetingProbe;
import dev.cordon.selftest.probe.MountsProbe;
import dev.cordon.selftest.probe.OldRootProbe;
import dev.cordon.selftest.probe.PolicyProbe;
import dev.cordon.selftest.probe.PrivilegedProgramsProbe;
import dev.cordon.selftest.probe.ProfileProbe;
import dev.cordon.selftest.probe.RunnerProbe;
import dev.cordon.selftest.probe.SecretsProbe;
import dev.cordon.selftest.probe.SignalsProbe;
import dev.cordon.selftest.probe.SocketBuffersProbe;
import dev.cordon.selftest.probe.TmpfsMemoryProbe;
import dev.cordon.selftest.probe.TracesProbe;
import dev.cordon.selftest.probe.WatchesProbe;
import dev.cordon.selftest.probe.WorkingDirectoryProbe;
import dev.cordon.selftest.probe.ZombiesProbe;
import dev.cordon.selftest.rig.PlainProbe;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.UntriedThreat;
import java.util.List;

/** The probes, in the order of their ids. */
public final class ProbeCatalogue {
    private static final ByteSize DISK = ByteSize.mib(4);
    private static final int FILES = 256;

    private ProbeCatalogue() {}

    public static List<Probe> all() {
        return List.of(
                new DescriptorsProbe("A-01", "descriptors of the launcher"),
                new WorkingDirectoryProbe("A-02", "working directory outside the root"),
                new RunnerProbe("A-03", "the runner's program through /proc"),
                PlainProbe.of("A-04", "taking over init"),
                new PrivilegedProgramsProbe("A-05", "setuid programs and file capabilities"),
                PlainProbe.of("A-06", "capabilities in the user namespace"),
                new SecretsProbe("A-07", "the caller's environment, arguments and files"),
                PlainProbe.of("A-08", "typing into a terminal"),
                PlainProbe.of("A-09", "keyrings"),
                new IdsProbe("A-10", "uid shared between jobs"),
                PlainProbe.of("A-11", "the site's own files"),
                new PolicyProbe("B-01", "calls that the profile refuses"),
                PlainProbe.of("B-02", "arguments wider than the kernel reads"),
                PlainProbe.of("B-03", "32-bit and x32 system calls"),
                PlainProbe.of("B-04", "clone3"),
                PlainProbe.of("B-05", "nested namespaces"),
                PlainProbe.of("B-06", "io_uring"),
                PlainProbe.of("B-07", "kernel machinery"),
                PlainProbe.of("B-08", "tracing processes"),
                PlainProbe.of("B-09", "socket families"),
                PlainProbe.of("B-10", "personalities and segment descriptors"),
                new UntriedThreat(
                        "B-11", "known holes of the kernel", "needs the kernel's own tests in a throw-away machine"),
                PlainProbe.of("B-12", "threads without the filter"),
                PlainProbe.of("B-13", "calls newer than the profile"),
                new ProfileProbe("B-14", "a profile that allows everything"),
                PlainProbe.of("B-15", "sockets of netlink"),
                new PlainProbe(
                        "B-16",
                        "a tracer goes around the filter",
                        directory -> List.of(),
                        List.of(),
                        job -> job.profile("debug")),
                PlainProbe.of("C-01", "/proc and /sys"),
                new HostileDirectoryProbe("C-02", "links in a directory that the jail is built on"),
                new UntriedThreat(
                        "C-03", "sources that change under the planner", "needs a step between planning and starting"),
                new UntriedThreat("C-04", "reading what a job left", "this version hands out no files of a job"),
                new UntriedThreat("C-05", "hostile archives", "this version reads and writes no archives"),
                new OldRootProbe("C-06", "the old root"),
                new MountsProbe("C-07", "mounts that reach the host"),
                PlainProbe.in("C-08", "device nodes", "/workspace"),
                new MountsProbe("C-09", "remounts that change the host"),
                disk(),
                new TmpfsMemoryProbe("C-11", "memory through a tmpfs"),
                new MeetingProbe("C-12", "what an earlier job left", false),
                PlainProbe.of("C-13", "the control groups that a job is shown"),
                new ZombiesProbe("D-02", "orphans that nobody reaps"),
                new SignalsProbe("D-04", "signals to others"),
                PlainProbe.in("D-13", "core dumps", "/workspace"),
                PlainProbe.of("D-14", "other limits"),
                PlainProbe.of("D-16", "real-time and priorities"),
                new SocketBuffersProbe("D-18", "memory in socket buffers"),
                new AbstractSocketsProbe("E-01", "abstract sockets"),
                new MeetingProbe("E-02", "what another job holds", true),
                new LocksProbe("E-03", "locks on files of the host"),
                PlainProbe.of("E-04", "what the host tells of itself"),
                PlainProbe.in("E-05", "the page cache", "/workspace"),
                new TracesProbe("E-06", "traces of another job"),
                new WatchesProbe("E-07", "watching files of the host", "/usr/bin", "env", true),
                new CountersProbe("E-09", "names and counters of the host"),
                new WatchesProbe("E-10", "the host in /sys", "/sys/devices/system/cpu", "online", false),
                new EgressProbe("F-01", "packets out of the jail"),
                new IngressProbe("F-08", "connections into the jail"));
    }

    private static Probe disk() {
        String bytes = Long.toString(DISK.bytes());
        String files = Integer.toString(FILES);
        return new PlainProbe(
                "C-10",
                "more disk than the limit",
                directory -> List.of(bytes, files, directory.toString()),
                List.of(bytes, files, "/workspace", "/tmp", "/dev/shm"),
                job -> job.disk(DISK).files(FILES));
    }
}
