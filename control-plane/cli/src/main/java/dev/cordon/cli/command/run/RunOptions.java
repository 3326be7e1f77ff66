package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.job.limit.Limit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The options of {@code cordon run}, in the order of its help. */
public final class RunOptions {

    private static final List<CommandOption> OPTIONS = new ArrayList<>();

    static final CommandOption LANG = next(CommandOption.value(
            "--lang",
            "LANGUAGE",
            "Run code instead of a program: python, node, bash or java. From -c, -f or standard input."));
    static final CommandOption CODE =
            next(CommandOption.value("-c", "CODE", "The code of --lang.").or("--code"));
    static final CommandOption FILE = next(CommandOption.value(
                    "-f",
                    "FILE",
                    "A file of code, copied into the jail; its extension tells the language unless --lang does.")
            .or("--file"));
    public static final CommandOption ISOLATION = next(CommandOption.value(
            "--isolation", "LEVEL", "process, jail or vm. The policy decides when it is left out: jail."));
    static final CommandOption MOST_ISOLATION = next(CommandOption.value(
            "--isolation-max", "LEVEL", "The highest level; the job is refused where the policy wants a higher one."));
    static final CommandOption NO_ESCALATE = next(CommandOption.flag(
            "--no-escalate", "Do not run it again in a virtual machine, even where the policy says so."));
    public static final CommandOption IMAGE =
            next(CommandOption.value("--image", "NAME", "The job's root: one of those that 'cordon image ls' lists."));
    static final CommandOption TIMEOUT =
            next(CommandOption.value("--timeout", "TIME", "Wall-clock limit, such as 500ms, 10s or 2m (30s)."));
    static final CommandOption CPU_TIME = next(CommandOption.value(
            "--cpu-time", "TIME", "CPU time of all its processes together (30s, or what a longer --timeout allows)."));
    public static final CommandOption MEMORY =
            next(CommandOption.value("-m", "SIZE", "Memory of the whole job, such as 256M (512M).")
                    .or("--memory"));
    public static final CommandOption CPUS =
            next(CommandOption.value("--cpus", "NUMBER", "CPUs' worth of time, such as 0.5 (1)."));
    public static final CommandOption PIDS =
            next(CommandOption.value("--pids", "NUMBER", "Processes and threads at one time (256).")
                    .or("--pids-limit"));
    public static final CommandOption DISK =
            next(CommandOption.value("--disk", "SIZE", "Bytes in each of /workspace and /tmp (160M)."));
    static final CommandOption FILES = next(
            CommandOption.value("--files", "NUMBER", "Files and directories in each of /workspace and /tmp (32768)."));
    static final CommandOption FILE_SIZE =
            next(CommandOption.value("--file-size", "SIZE", "The largest single file (as --disk)."));
    static final CommandOption OPEN_FILES =
            next(CommandOption.value("--open-files", "NUMBER", "Open descriptors of one process (1024)."));
    static final CommandOption ADDRESS_SPACE = next(CommandOption.value(
            "--address-space", "SIZE", "Address space of one process; breaks JVMs and V8 (no limit)."));
    static final CommandOption READ_RATE = next(CommandOption.value(
            "--read-rate", "SIZE", "Bytes per second read from each disk; cgroup v2 only (no limit)."));
    static final CommandOption WRITE_RATE = next(CommandOption.value(
            "--write-rate", "SIZE", "Bytes per second written to each disk; cgroup v2 only (no limit)."));
    static final CommandOption OUTPUT =
            next(CommandOption.value("--output", "SIZE", "Bytes kept of each of stdout and stderr (1M)."));
    public static final CommandOption READ_ONLY = next(
            CommandOption.list("--ro", "SRC:DST", "Show a host file or directory to the job, read-only. Repeatable."));
    public static final CommandOption READ_WRITE = next(CommandOption.list(
            "--rw", "SRC:DST", "Let the job change a host directory. Repeatable; see the manual first."));
    public static final CommandOption ENV = next(CommandOption.list(
                    "-e", "NAME[=VALUE]", "Set a variable; without a value, pass the caller's on. Repeatable.")
            .or("--env"));
    public static final CommandOption WORKDIR =
            next(CommandOption.value("-w", "DIR", "Working directory inside the jail (/workspace, or the image's).")
                    .or("--workdir"));
    static final CommandOption STDIN = next(CommandOption.value(
            "--stdin", "FILE", "Standard input of the job: a file, or - for this one's. Nothing by default."));
    static final CommandOption ARTIFACT = next(CommandOption.list(
            "--artifact",
            "GLOB",
            "Collect files that the job leaves below /workspace, such as 'out/**' or '*.csv'. Repeatable."));
    static final CommandOption ARTIFACTS_TO = next(
            CommandOption.value("--artifacts-to", "DIR", "Where collected files are written (.); none is replaced."));
    public static final CommandOption PROFILE = next(CommandOption.value(
            "--profile",
            "NAME",
            "Seccomp profile: default, strict, jvm, debug, or the path of a JSON file (with a '/')."));
    public static final CommandOption ON_VIOLATION = next(CommandOption.value(
            "--on-violation", "WHAT", "At a tripwire system call: refuse it (default) or kill the job."));
    static final CommandOption ON_OUTPUT = next(CommandOption.value(
            "--on-output-limit", "WHAT", "At the output limit: truncate (default; the job goes on) or kill the job."));
    public static final CommandOption STRICT = next(
            CommandOption.flag("--strict-limits", "Refuse the job where the host cannot enforce one of its limits."));
    public static final CommandOption TRUST = next(CommandOption.value(
            "--trust", "TRUST", "Whose code it is: trusted, standard (default) or untrusted. The policy weighs it."));
    public static final CommandOption OWNER =
            next(CommandOption.value("--owner", "NAME", "On whose behalf the job runs (local)."));
    public static final CommandOption LABEL =
            next(CommandOption.list("--label", "NAME=VALUE", "A note that is kept with the job. Repeatable."));
    static final CommandOption STATS = next(
            CommandOption.flag("--stats", "Draw memory and CPU over time on standard error when the job is over."));
    static final CommandOption DRY_RUN =
            next(CommandOption.flag("--dry-run", "Print the plan as JSON, and run nothing."));
    public static final CommandOption RAW =
            next(CommandOption.flag("--raw", "Pass escape sequences of the job on to a terminal."));

    static final List<CommandOption> ALL = all();

    static final String FOOTER = """

        Exit codes: the job's own; 124 out of time; 128+n ended by signal n; 159 killed for a system call;
        127 no such command, 126 not executable; 130 cancelled; 121 invalid job, 122 denied, 123 not
        possible on this host, 125 Cordon's own failure; 2 wrong use of this command.

        The options from -v to --rm are words of docker run; others of its are refused with the reason.

        On a terminal, control characters of the job are shown as ^[ and <9B> unless --raw is given.

        Examples:
          cordon run -- python3 -c 'print(6*7)'
          cordon run --timeout 5s --memory 256M --ro ./data:/workspace/data -- ./data/tool
          echo 'console.log(1)' | cordon run --lang node\
        """;

    private RunOptions() {}

    /** Each option is added where it stands. */
    private static CommandOption next(CommandOption option) {
        OPTIONS.add(option);
        return option;
    }

    private static List<CommandOption> all() {
        OPTIONS.addAll(DockerOptions.ALL);
        OPTIONS.addAll(List.of(CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.JSON, CommandOption.COLOR));
        return List.copyOf(OPTIONS);
    }

    /** Which option sets which limit. */
    static Map<Limit, CommandOption> limits() {
        Map<Limit, CommandOption> limits = new EnumMap<>(Limit.class);
        limits.put(Limit.TIMEOUT, TIMEOUT);
        limits.put(Limit.CPU_TIME, CPU_TIME);
        limits.put(Limit.MEMORY, MEMORY);
        limits.put(Limit.CPUS, CPUS);
        limits.put(Limit.PIDS, PIDS);
        limits.put(Limit.FILES, FILES);
        limits.put(Limit.FILE_SIZE, FILE_SIZE);
        limits.put(Limit.OPEN_FILES, OPEN_FILES);
        limits.put(Limit.ADDRESS_SPACE, ADDRESS_SPACE);
        limits.put(Limit.READ_RATE, READ_RATE);
        limits.put(Limit.WRITE_RATE, WRITE_RATE);
        limits.put(Limit.DISK, DISK);
        limits.put(Limit.OUTPUT, OUTPUT);
        return limits;
    }
}
