package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.job.limit.Limit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The everyday options of {@code docker run} that are not Cordon's own words: what each does here, or why it is refused. */
final class DockerOptions {
    static final CommandOption VOLUME = CommandOption.list("-v", "SRC:DST[:ro]", "--rw, or --ro where :ro follows.")
            .or("--volume");
    static final CommandOption INTERACTIVE =
            CommandOption.flag("-i", "--stdin -.").or("--interactive");
    static final CommandOption NAME = CommandOption.value("--name", "NAME", "--label name=NAME.");
    static final CommandOption ULIMIT = CommandOption.list(
            "--ulimit", "NAME=N", "nofile, nproc, fsize, as or cpu, in bytes and seconds. Repeatable.");
    static final CommandOption SECURITY = CommandOption.list(
            "--security-opt", "OPT", "seccomp=FILE, apparmor=LABEL; no-new-privileges always is. Repeatable.");
    static final CommandOption TMPFS = CommandOption.list(
            "--tmpfs", "DIR[:size=N]", "/tmp or /workspace, which are in memory; size is --disk. Repeatable.");
    static final CommandOption NETWORK =
            CommandOption.value("--network", "none", "A job has no network, whether asked or not.");
    static final CommandOption CAP_DROP =
            CommandOption.list("--cap-drop", "NAME", "A job has no capabilities, whether asked or not.");
    static final CommandOption READ_ONLY_ROOT = CommandOption.flag("--read-only", "The root always is.");
    static final CommandOption REMOVE = CommandOption.flag("--rm", "Nothing of a job is ever left.");

    static final List<CommandOption> ALL =
            List.of(VOLUME, INTERACTIVE, NAME, ULIMIT, TMPFS, SECURITY, NETWORK, CAP_DROP, READ_ONLY_ROOT, REMOVE);

    private static final String NO_NETWORK = "a job has no network";
    private static final String NO_RIGHTS = "a job has no rights beyond those of an ordinary user, and none are given";
    private static final String OWN_NAMESPACES = "a job shares no namespace with the host";

    /** Why an option of docker run is not there, and what is there instead. */
    static final Map<String, String> REFUSED = Map.ofEntries(
            Map.entry("-t", "for a terminal open a shell: cordon shell [-- COMMAND]"),
            Map.entry("--tty", "for a terminal open a shell: cordon shell [-- COMMAND]"),
            Map.entry("-it", "for a terminal open a shell: cordon shell [-- COMMAND]"),
            Map.entry("-d", "a job of a service runs on by itself: cordon serve, then POST /v1/jobs"),
            Map.entry("--detach", "a job of a service runs on by itself: cordon serve, then POST /v1/jobs"),
            Map.entry("-u", "a job is user 1000 inside and a user of its own outside"),
            Map.entry("--user", "a job is user 1000 inside and a user of its own outside"),
            Map.entry("--privileged", NO_RIGHTS),
            Map.entry("--cap-add", NO_RIGHTS),
            Map.entry("--device", NO_RIGHTS),
            Map.entry("--gpus", NO_RIGHTS),
            Map.entry("--group-add", NO_RIGHTS),
            Map.entry("--pid", OWN_NAMESPACES),
            Map.entry("--ipc", OWN_NAMESPACES),
            Map.entry("--uts", OWN_NAMESPACES),
            Map.entry("--userns", OWN_NAMESPACES),
            Map.entry("--cgroupns", OWN_NAMESPACES),
            Map.entry("-p", NO_NETWORK),
            Map.entry("--publish", NO_NETWORK),
            Map.entry("--expose", NO_NETWORK),
            Map.entry("--add-host", NO_NETWORK),
            Map.entry("--dns", NO_NETWORK),
            Map.entry("--memory-swap", "what --memory allows includes no swap; leave it out"),
            Map.entry("--shm-size", "/dev/shm holds 64 MiB, or --disk where that is less"),
            Map.entry("--mount", "write --ro SRC:DST or --rw SRC:DST"),
            Map.entry("--entrypoint", "write the whole command behind --image NAME --"),
            Map.entry("--env-file", "write -e NAME=VALUE, or -e NAME to pass on a variable of the caller's"),
            Map.entry("--restart", "a job runs once"),
            Map.entry("--init", "every jail has an init of its own"),
            Map.entry("--cpuset-cpus", "--cpus limits the time; which processors give it is the kernel's choice"),
            Map.entry("--pull", "images are built or imported beforehand: cordon image --help"));

    private static final Map<String, Limit> ULIMITS = Map.of(
            "nofile", Limit.OPEN_FILES,
            "nproc", Limit.PIDS,
            "fsize", Limit.FILE_SIZE,
            "as", Limit.ADDRESS_SPACE,
            "cpu", Limit.CPU_TIME);

    private DockerOptions() {}

    /** The limit of a ulimit's name. */
    static Optional<Limit> limit(String ulimit) {
        return Optional.ofNullable(ULIMITS.get(ulimit));
    }
}
