package dev.cordon.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * User namespaces, and the mount of /proc inside one: what hosts forbid most often.
 *
 * @param files of the host
 * @param trial what became of a jail
 * @param root  whether Cordon runs as root
 */
record NamespaceChecks(HostFiles files, TrialJob trial, boolean root) {

    /** Mount points that the kernel keeps empty for good: covering them hides nothing, so proc stays mountable. */
    private static final Set<String> HARMLESS = Set.of("/proc/sys/fs/binfmt_misc", "/proc/fs/nfsd");

    private static final CheckSubject USER_NAMESPACES = new CheckSubject(
            "user_namespaces",
            "every layer of the jail is built inside a user namespace, also when Cordon runs as root");
    private static final CheckSubject PROC_MOUNT = new CheckSubject(
            "proc_mount", "the jail has a /proc of its own; the kernel refuses it where the host's own is covered");

    private static final String APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

    private record Obstacle(String path, String value, boolean appliesToRoot, String remedy) {
        String found() {
            return path.substring("/proc/sys/".length()).replace('/', '.') + " is " + value;
        }
    }

    private static final List<Obstacle> OBSTACLES = List.of(
            new Obstacle("/proc/sys/user/max_user_namespaces", "0", true, "sysctl -w user.max_user_namespaces=15000"),
            new Obstacle(
                    "/proc/sys/kernel/unprivileged_userns_clone",
                    "0",
                    false,
                    "sysctl -w kernel.unprivileged_userns_clone=1, or run Cordon as root"),
            new Obstacle(
                    APPARMOR,
                    "1",
                    false,
                    "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give java an AppArmor profile with"
                            + " the userns permission, or run Cordon as root"));

    /** The package's profile: where it is shipped, which is always, and where the installation puts it when AppArmor can read it. */
    private static final String SHIPPED_PROFILE = "/usr/share/cordon/apparmor/cordon";

    HostCheck userNamespaces() {
        return switch (trial) {
            case TrialJob.Worked worked ->
                USER_NAMESPACES.pass(
                        "tried: the trial jail has its own user, pid, mount, net, ipc, uts and cgroup " + "namespaces");
            case TrialJob.Failed failed
            when failed.stage().equals("clone") ->
                USER_NAMESPACES.fail(
                        "tried, and refused: " + failed.message(),
                        obstacle().map(this::remedy).orElse(failed.remedy()));
            case TrialJob.Failed failed
            when failed.hadNamespaces() ->
                USER_NAMESPACES.pass("tried: made (the trial jail failed later, at " + failed.stage() + ")");
            case TrialJob.Failed failed -> untried(new TrialJob.NotMade(failed.message(), failed.remedy()));
            case TrialJob.Busy busy -> untried(new TrialJob.NotMade(busy.reason(), "look again when less is running"));
            case TrialJob.NotMade notMade -> untried(notMade);
        };
    }

    HostCheck procMount() {
        List<String> covers = procCovers();
        if (trial instanceof TrialJob.Worked) {
            return PROC_MOUNT.pass("mounted in the trial jail");
        }
        return covers.isEmpty()
                ? PROC_MOUNT.pass("nothing is mounted over the host's /proc")
                : PROC_MOUNT.fail(
                        "mounted over the host's /proc: " + String.join(", ", covers),
                        "in a systemd unit, take ProtectKernelTunables=, ProtectKernelLogs= and ProtectHostname= out;"
                                + " in a container, unmask /proc (podman: --security-opt unmask=ALL)");
    }

    /** Without a jail, unshare(1) may make the attempt. */
    private HostCheck untried(TrialJob.NotMade notMade) {
        Optional<Obstacle> obstacle = obstacle();
        if (obstacle.isPresent()) {
            return USER_NAMESPACES.fail("forbidden: " + obstacle.get().found(), remedy(obstacle.get()));
        }
        Optional<Path> unshare = files.program("unshare");
        if (unshare.isPresent() && HostPrograms.succeeds(unshare.get().toString(), "--user", "true")) {
            return USER_NAMESPACES.pass("tried: unshare(1) made one; no jail was tried");
        }
        return USER_NAMESPACES.warn(
                "no setting forbids them, but no jail was tried: " + notMade.reason(), notMade.remedy());
    }

    /** The setting that keeps this user from making user namespaces. */
    private Optional<Obstacle> obstacle() {
        return OBSTACLES.stream()
                .filter(obstacle -> !root || obstacle.appliesToRoot())
                .filter(obstacle -> files.line(obstacle.path()).orElse("").equals(obstacle.value()))
                .findFirst();
    }

    private String remedy(Obstacle obstacle) {
        return obstacle.path().equals(APPARMOR) && files.exists(SHIPPED_PROFILE)
                ? "install -m 0644 " + SHIPPED_PROFILE + " /etc/apparmor.d/cordon && apparmor_parser --replace"
                        + " /etc/apparmor.d/cordon, and start Cordon again; or run Cordon as root"
                : obstacle.remedy();
    }

    private List<String> procCovers() {
        return files.lines("/proc/self/mountinfo").stream()
                .map(line -> line.split(" ", 6))
                .filter(fields -> fields.length == 6)
                .map(fields -> fields[4])
                .filter(place -> place.startsWith("/proc/") && !HARMLESS.contains(place))
                .toList();
    }
}
