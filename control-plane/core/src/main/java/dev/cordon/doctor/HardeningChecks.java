package dev.cordon.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Kernel settings outside the jail that decide how much a hole in it would be worth. None of them stops a job from
 * running, so none of them fails.
 */
final class HardeningChecks {

    /** A setting, the values that are fine, and what the others mean. Absent is fine: the kernel lacks the feature. */
    private record Setting(String id, String path, Set<String> good, String why, String remedy) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting(
                    "io_uring",
                    "/proc/sys/kernel/io_uring_disabled",
                    Set.of("2"),
                    "io_uring runs system calls that no filter sees; jobs are refused it, other users of the host are"
                            + " not",
                    "sysctl -w kernel.io_uring_disabled=2"),
            new Setting(
                    "tiocsti",
                    "/proc/sys/dev/tty/legacy_tiocsti",
                    Set.of("0"),
                    "a process can type into the terminal it was given; jobs get pipes and a filter rule instead",
                    "sysctl -w dev.tty.legacy_tiocsti=0"),
            new Setting(
                    "unprivileged_bpf",
                    "/proc/sys/kernel/unprivileged_bpf_disabled",
                    Set.of("1", "2"),
                    "bpf() has been a frequent way into the kernel; jobs are refused it, other users are not",
                    "sysctl -w kernel.unprivileged_bpf_disabled=2"),
            new Setting(
                    "userfaultfd",
                    "/proc/sys/vm/unprivileged_userfaultfd",
                    Set.of("0"),
                    "userfaultfd makes kernel races easy to win; jobs are refused it, other users are not",
                    "sysctl -w vm.unprivileged_userfaultfd=0"),
            new Setting(
                    "perf_events",
                    "/proc/sys/kernel/perf_event_paranoid",
                    Set.of("2", "3", "4"),
                    "performance events leak what other processes do; jobs are refused them, other users are not",
                    "sysctl -w kernel.perf_event_paranoid=2"),
            new Setting(
                    "ksm",
                    "/sys/kernel/mm/ksm/run",
                    Set.of("0", "2"),
                    "merged memory pages let one job find out by timing what another has in memory",
                    "echo 2 > /sys/kernel/mm/ksm/run"),
            new Setting(
                    "smt",
                    "/sys/devices/system/cpu/smt/active",
                    Set.of("0"),
                    "two jobs on one core's hardware threads can observe each other through shared caches",
                    "echo off > /sys/devices/system/cpu/smt/control"));

    private static final List<String> PROTECTED = List.of("symlinks", "hardlinks", "fifos", "regular");
    private static final List<String> PROTECTED_GOOD = List.of("1", "1", "2", "2");

    private HardeningChecks() {}

    static List<HostCheck> run(HostFiles files) {
        List<HostCheck> checks = new ArrayList<>();
        SETTINGS.forEach(setting -> checks.add(setting(files, setting)));
        checks.addAll(List.of(corePattern(files), protectedFiles(files), mitigations(files)));
        return checks;
    }

    private static HostCheck setting(HostFiles files, Setting setting) {
        String name = setting.path().startsWith("/proc/sys/")
                ? setting.path().substring("/proc/sys/".length()).replace('/', '.')
                : setting.path();
        CheckSubject subject = new CheckSubject(setting.id(), setting.why());
        String value = files.line(setting.path()).orElse("");
        if (value.isEmpty()) {
            return subject.pass(name + " is not there: the kernel does not offer it");
        }
        String found = name + " is " + value;
        return setting.good().contains(value) ? subject.pass(found) : subject.warn(found, setting.remedy());
    }

    private static HostCheck corePattern(HostFiles files) {
        CheckSubject subject = new CheckSubject(
                "core_pattern",
                "a piped handler runs as root on the host and reads a crashed job's memory; jobs run with "
                        + "RLIMIT_CORE 1, which keeps it from starting");
        String pattern = files.line("/proc/sys/kernel/core_pattern").orElse("not readable");
        return pattern.startsWith("|")
                ? subject.warn("piped: " + pattern, "sysctl -w kernel.core_pattern=core (or keep it, knowingly)")
                : subject.pass("a file: " + pattern);
    }

    private static HostCheck protectedFiles(HostFiles files) {
        StringBuilder found = new StringBuilder();
        StringBuilder remedy = new StringBuilder();
        for (int i = 0; i < PROTECTED.size(); i++) {
            String name = "fs.protected_" + PROTECTED.get(i);
            String value =
                    files.line("/proc/sys/fs/protected_" + PROTECTED.get(i)).orElse("absent");
            found.append(i == 0 ? "" : ", ").append(name).append('=').append(value);
            if (value.compareTo(PROTECTED_GOOD.get(i)) < 0 || value.equals("absent")) {
                remedy.append(remedy.isEmpty() ? "sysctl -w " : " ")
                        .append(name)
                        .append('=')
                        .append(PROTECTED_GOOD.get(i));
            }
        }
        CheckSubject subject = new CheckSubject(
                "protected_files",
                "links and pipes planted in a shared folder can misdirect programs of the host that follow them");
        return remedy.isEmpty() ? subject.pass(found.toString()) : subject.warn(found.toString(), remedy.toString());
    }

    private static HostCheck mitigations(HostFiles files) {
        String folder = "/sys/devices/system/cpu/vulnerabilities";
        List<String> vulnerable = files.names(folder).stream()
                .filter(name -> files.line(folder + "/" + name).orElse("").startsWith("Vulnerable"))
                .toList();
        CheckSubject subject = new CheckSubject(
                "mitigations",
                "the jail does not stop hardware side channels; the kernel's mitigations do, where they are on");
        return vulnerable.isEmpty()
                ? subject.pass("no processor weakness is listed as open")
                : subject.warn(
                        "open: " + String.join(", ", vulnerable),
                        "update the kernel and the processor's microcode; take mitigations=off off the kernel command"
                                + " line");
    }
}
