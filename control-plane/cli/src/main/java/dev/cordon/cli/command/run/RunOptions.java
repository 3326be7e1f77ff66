package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.Option;
import dev.cordon.job.limit.Limit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The options of {@code cordon run}, in the order of its help. */
public final class RunOptions {

    private static final List<Option> OPTIONS = new ArrayList<>();

    static final Option LANG = next(Option.value(
            "--lang",
            "LANGUAGE",
            "Run code instead of a program: python, node, bash or java. From -c, -f or standard input."));
    static final Option CODE =
            next(Option.value("-c", "CODE", "The code of --lang.").or("--code"));
    static final Option FILE = next(Option.value(
                    "-f",
                    "FILE",
                    "A file of code, copied into the jail; its extension tells the language unless --lang does.")
            .or("--file"));
    public static final Option ISOLATION = next(
            Option.value("--isolation", "LEVEL", "process, jail or vm. The policy decides when it is left out: jail."));
    static final Option MOST_ISOLATION = next(Option.value(
            "--isolation-max", "LEVEL", "The highest level; the job is refused where the policy wants a higher one."));
    static final Option NO_ESCALATE = next(
            Option.flag("--no-escalate", "Do not run it again in a virtual machine, even where the policy says so."));
    public static final Option IMAGE =
            next(Option.value("--image", "NAME", "The job's root: one of those that 'cordon image ls' lists."));
    static final Option TIMEOUT =
            next(Option.value("--timeout", "TIME", "Wall-clock limit, such as 500ms, 10s or 2m (30s)."));
    static final Option CPU_TIME = next(Option.value(
            "--cpu-time", "TIME", "CPU time of all its processes together (30s, or what a longer --timeout allows)."));
    public static final Option MEMORY = next(Option.value("-m", "SIZE", "Memory of the whole job, such as 256M (512M).")
            .or("--memory"));
    public static final Option CPUS = next(Option.value("--cpus", "NUMBER", "CPUs' worth of time, such as 0.5 (1)."));
    public static final Option PIDS = next(Option.value("--pids", "NUMBER", "Processes and threads at one time (256).")
            .or("--pids-limit"));
    public static final Option DISK =
            next(Option.value("--disk", "SIZE", "Bytes in each of /workspace and /tmp (160M)."));
    static final Option FILES =
            next(Option.value("--files", "NUMBER", "Files and directories in each of /workspace and /tmp (32768)."));
    static final Option FILE_SIZE = next(Option.value("--file-size", "SIZE", "The largest single file (as --disk)."));
    static final Option OPEN_FILES =
            next(Option.value("--open-files", "NUMBER", "Open descriptors of one process (1024)."));
    static final Option ADDRESS_SPACE = next(
            Option.value("--address-space", "SIZE", "Address space of one process; breaks JVMs and V8 (no limit)."));
    static final Option READ_RATE = next(
            Option.value("--read-rate", "SIZE", "Bytes per second read from each disk; cgroup v2 only (no limit)."));
    static final Option WRITE_RATE = next(
            Option.value("--write-rate", "SIZE", "Bytes per second written to each disk; cgroup v2 only (no limit)."));
    static final Option OUTPUT =
            next(Option.value("--output", "SIZE", "Bytes kept of each of stdout and stderr (1M)."));
    public static final Option READ_ONLY =
            next(Option.list("--ro", "SRC:DST", "Show a host file or directory to the job, read-only. Repeatable."));
    public static final Option READ_WRITE = next(
            Option.list("--rw", "SRC:DST", "Let the job change a host directory. Repeatable; see the manual first."));
    public static final Option ENV =
            next(Option.list("-e", "NAME[=VALUE]", "Set a variable; without a value, pass the caller's on. Repeatable.")
                    .or("--env"));
    public static final Option WORKDIR =
            next(Option.value("-w", "DIR", "Working directory inside the jail (/workspace, or the image's).")
                    .or("--workdir"));
    static final Option STDIN = next(Option.value(
            "--stdin", "FILE", "Standard input of the job: a file, or - for this one's. Nothing by default."));
    static final Option ARTIFACT = next(Option.list(
            "--artifact",
            "GLOB",
            "Collect files that the job leaves below /workspace, such as 'out/**' or '*.csv'. Repeatable."));
    static final Option ARTIFACTS_TO =
            next(Option.value("--artifacts-to", "DIR", "Where collected files are written (.); none is replaced."));
    public static final Option PROFILE = next(Option.value(
            "--profile",
            "NAME",
            "Seccomp profile: default, strict, jvm, debug, or the path of a JSON file (with a '/')."));
    public static final Option ON_VIOLATION = next(
            Option.value("--on-violation", "WHAT", "At a tripwire system call: refuse it (default) or kill the job."));
    static final Option ON_OUTPUT = next(Option.value(
            "--on-output-limit", "WHAT", "At the output limit: truncate (default; the job goes on) or kill the job."));
    public static final Option STRICT =
            next(Option.flag("--strict-limits", "Refuse the job where the host cannot enforce one of its limits."));
    public static final Option TRUST = next(Option.value(
            "--trust", "TRUST", "Whose code it is: trusted, standard (default) or untrusted. The policy weighs it."));
    public static final Option OWNER = next(Option.value("--owner", "NAME", "On whose behalf the job runs (local)."));
    public static final Option LABEL =
            next(Option.list("--label", "NAME=VALUE", "A note that is kept with the job. Repeatable."));
    static final Option STATS =
            next(Option.flag("--stats", "Draw memory and CPU over time on standard error when the job is over."));
    static final Option DRY_RUN = next(Option.flag("--dry-run", "Print the plan as JSON, and run nothing."));
    public static final Option RAW = next(Option.flag("--raw", "Pass escape sequences of the job on to a terminal."));

    static final List<Option> ALL = all();

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
    private static Option next(Option option) {
        OPTIONS.add(option);
        return option;
    }

    private static List<Option> all() {
        OPTIONS.addAll(DockerOptions.ALL);
        OPTIONS.addAll(List.of(Option.CONFIG, Option.LOCAL, Option.JSON, Option.COLOR));
        return List.copyOf(OPTIONS);
    }

    /** Which option sets which limit. */
    static Map<Limit, Option> limits() {
        Map<Limit, Option> limits = new EnumMap<>(Limit.class);
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
