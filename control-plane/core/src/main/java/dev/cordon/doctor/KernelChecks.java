package dev.cordon.doctor;

import dev.cordon.seccomp.read.KernelRelease;
import java.util.ArrayList;
import java.util.List;

/** The kernel: its version, and the calls and filters that the jail is made of. */
final class KernelChecks {

    private static final KernelRelease OLDEST = new KernelRelease(5, 14);
    private final HostFiles files;
    private final TrialJob trial;
    private final int landlockAbi;
    private final String release;
    private final KernelRelease kernel;

    KernelChecks(HostFiles files, TrialJob trial, int landlockAbi) {
        this.files = files;
        this.trial = trial;
        this.landlockAbi = landlockAbi;
        this.release = files.line("/proc/sys/kernel/osrelease").orElse("unknown");
        this.kernel = KernelRelease.of(release).orElse(new KernelRelease(0, 0));
    }

    List<HostCheck> run() {
        List<HostCheck> checks = new ArrayList<>();
        checks.add(version());
        boolean filtered =
                files.field("/proc/self/status", "Seccomp").orElse("0").equals("2");
        for (KernelFeature feature : KernelFeature.ALL) {
            checks.add(feature.check(kernel, filtered, trial instanceof TrialJob.Worked));
        }
        checks.add(seccomp());
        checks.add(landlock());
        checks.add(ownInodes());
        checks.add(memfd());
        return checks;
    }

    private HostCheck version() {
        CheckSubject subject = new CheckSubject(
                "kernel",
                "5.14 is the first kernel with every call that building and killing a jail needs (cgroup.kill came"
                        + " last)");
        return kernel.atLeast(OLDEST)
                ? subject.pass(release)
                : subject.fail(release, "run a kernel " + OLDEST + " or later");
    }

    private HostCheck seccomp() {
        CheckSubject subject = new CheckSubject(
                "seccomp", "jobs reach only the system calls on an allow-list; tripwires report by user notification");
        String actions = files.line("/proc/sys/kernel/seccomp/actions_avail").orElse("");
        List<String> available = List.of(actions.split(" ", -1));
        if (available.containsAll(List.of("kill_process", "errno", "user_notif", "allow"))) {
            return subject.pass("filters with user notification (" + actions + ")");
        }
        return subject.fail(
                actions.isEmpty() ? "the kernel has no seccomp filters" : "actions missing: only " + actions,
                "run a kernel built with CONFIG_SECCOMP_FILTER=y, 5.0 or later");
    }

    private HostCheck landlock() {
        CheckSubject subject = new CheckSubject(
                "landlock", "a second layer behind the mounts: writing is refused outside the writable folders");
        boolean left = trial instanceof TrialJob.Worked worked && !worked.landlock();
        if (landlockAbi == 0 || left) {
            return subject.warn(
                    "not there; jobs run without it and their results say so",
                    "run a kernel with CONFIG_SECURITY_LANDLOCK=y and landlock in the lsm= boot parameter");
        }
        boolean applied = trial instanceof TrialJob.Worked;
        return subject.pass("ABI " + landlockAbi + (applied ? ", applied in the trial jail" : ""));
    }

    private HostCheck ownInodes() {
        CheckSubject subject = new CheckSubject(
                "own_inodes",
                "files of the host are shown through an overlay of the jail's own, so that no watch and no lock of a"
                        + " job meets anybody else");
        if (!(trial instanceof TrialJob.Worked worked)) {
            return subject.warn("not tried: no jail was made", "see the checks that failed");
        }
        return worked.ownInodes()
                ? subject.pass("used in the trial jail")
                : subject.warn(
                        "kernel " + kernel
                                + " makes no overlay of /usr or /etc in a user namespace: jobs get no inotify,"
                                + " their locks meet the host's, and their results say so",
                        "run a kernel 5.11 or later with CONFIG_OVERLAY_FS; rootless, mount nothing below /usr and"
                                + " /etc; do not keep them on an overlay of overlays");
    }

    private HostCheck memfd() {
        CheckSubject subject = new CheckSubject(
                "memfd_exec", "the supervisor runs from sealed memory, so that no job can overwrite it on disk");
        String value = files.line("/proc/sys/vm/memfd_noexec").orElse("absent");
        if (value.equals("2")) {
            return subject.fail("vm.memfd_noexec is 2", "sysctl -w vm.memfd_noexec=1");
        }
        return subject.pass("programs may run from a memfd (vm.memfd_noexec is " + value + ")");
    }
}
