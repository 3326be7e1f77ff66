package dev.cordon.doctor;

import dev.cordon.seccomp.read.KernelRelease;
import java.util.List;

/**
 * A system call that the jail cannot do without.
 *
 * @param id its name
 * @param since the kernel that has all of it that is needed
 * @param why what it is for
 * @param directive what in a systemd unit would take it away
 */
record KernelFeature(String id, KernelRelease since, String why, String directive) {

    static final List<KernelFeature> ALL = List.of(
            new KernelFeature(
                    "openat2",
                    new KernelRelease(5, 6),
                    "paths that a job controls are opened without following its links",
                    "RestrictSUIDSGID="),
            new KernelFeature(
                    "clone3",
                    new KernelRelease(5, 7),
                    "the supervisor and init are born in their namespaces and their cgroup",
                    "RestrictNamespaces="),
            new KernelFeature(
                    "close_range",
                    new KernelRelease(5, 11),
                    "no descriptor of the JVM reaches a job",
                    "SystemCallFilter="),
            new KernelFeature(
                    "pidfd",
                    new KernelRelease(5, 4),
                    "processes are waited for and signalled without mistaking a reused pid",
                    "SystemCallFilter="),
            new KernelFeature(
                    "mount_setattr",
                    new KernelRelease(5, 12),
                    "mounts are made read-only by descriptor, recursively",
                    "SystemCallFilter="));

    /** Judges by a jail that used it, else by the version and by whether a filter on this process may hide what the kernel has. */
    HostCheck check(KernelRelease kernel, boolean filtered, boolean jailWorked) {
        CheckSubject subject = new CheckSubject(id, why);
        if (jailWorked) {
            return subject.pass("there; the trial jail used it");
        }
        if (!kernel.atLeast(since)) {
            return subject.fail("kernel " + kernel + " lacks it", "run a kernel " + since + " or later");
        }
        if (filtered) {
            return subject.warn(
                    "kernel " + kernel + " has it, but a seccomp filter is on this very process and may hide it",
                    "start Cordon without a filter; in a systemd unit, without " + directive);
        }
        return subject.pass("kernel " + kernel + " has it (since " + since + ")");
    }
}
