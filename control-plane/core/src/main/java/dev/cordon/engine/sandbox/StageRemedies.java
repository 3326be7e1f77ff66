package dev.cordon.engine.sandbox;

import dev.cordon.bindings.wire.SetupStage;

/** What an operator can do about a step that failed. */
final class StageRemedies {
    private static final String DOCTOR = "run 'cordon doctor' for what this host lacks";

    private StageRemedies() {}

    static String of(SetupStage stage) {
        return switch (stage) {
            case CLONE ->
                "allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone), or run as"
                        + " root; "
                        + DOCTOR;
            case IDMAP ->
                "check /etc/subuid, /etc/subgid and that newuidmap is setuid root; without them Cordon uses one id; "
                        + DOCTOR;
            case CGROUP -> "give Cordon a cgroup of its own (systemd: Delegate=yes); " + DOCTOR;
            case SOURCES -> "check that the path exists and that Cordon's user may read it";
            case MOUNTS, ROOT, PROPAGATION, PIVOT ->
                "a /proc that is over-mounted on the host can't be mounted in a jail; " + DOCTOR;
            case LANDLOCK, FILTER, JOB_FILTER -> "check the kernel's version and the profile; " + DOCTOR;
            case LABEL -> "name a label that the host's AppArmor or SELinux policy has, or none";
            case RLIMITS -> "ask for less than the hard limits of the service (ulimit -H -a)";
            case FORK -> "raise the job's pids or memory limit; " + DOCTOR;
            case PROTOCOL,
                    PLAN,
                    NETNS,
                    IDS,
                    LOOPBACK,
                    HOSTNAME,
                    KEYRING,
                    NO_NEW_PRIVS,
                    CAPABILITIES,
                    DUMPABLE,
                    READY,
                    STDIO,
                    CWD,
                    EXEC -> DOCTOR;
        };
    }
}
