package dev.cordon.plan.planner;

import dev.cordon.job.Command;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Language;
import dev.cordon.job.WorkspaceFile;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limits;
import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.CommandPlan;
import dev.cordon.plan.CommandRlimit;
import dev.cordon.plan.CommandRlimit.Resource;
import dev.cordon.plan.StagedFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The command of a job and the files that it brings.
 *
 * @param job       the job
 * @param defaults  what it has unless it says otherwise
 * @param home      where the workspace is
 * @param temporary where temporary files go
 * @param codeAt    the directory that code is written to
 * @param prefix    what the name of the code's file begins with, so that it is nobody else's
 */
record CommandPlanner(
        JobSpec job, CommandDefaults defaults, String home, String temporary, String codeAt, String prefix) {
    static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private static final ByteSize MEMLOCK = ByteSize.kib(64);

    /** Timers and queued signals: kernel memory that is counted for the user, so that a job could use up its caller's share. */
    private static final long SIGPENDING = 4096;

    /** A limit of 0 does not stop a piped core handler; 1 does (core(5)). */
    private static final long CORE = 1;

    /** Where the job wants to work, or its image, or in the workspace. */
    static String workdir(JobSpec job, CommandDefaults defaults) {
        return Stream.of(job.io().workdir(), defaults.workdir(), JailPlanner.WORKSPACE)
                .filter(directory -> !directory.isEmpty())
                .findFirst()
                .orElseThrow();
    }

    /**
     * The command.
     *
     * @throws InvalidJob when it has more variables, with those of its sandbox and its image, than a sandbox takes
     */
    CommandPlan plan(String workdir, List<CommandRlimit> rlimitsWithoutCgroup) {
        List<String> argv = argv();
        List<String> environment = environment();
        Command.excess(Stream.concat(argv.stream(), environment.stream()).toList())
                .ifPresent(error -> {
                    throw new InvalidJob(List.of(error));
                });
        return new CommandPlan(
                argv,
                environment,
                workdir,
                rlimits(job.limits()),
                rlimitsWithoutCgroup,
                job.limits().timeout(),
                job.limits().cpuTime(),
                job.io().stdin(),
                job.limits().output().bytes(),
                job.reactions().onOutputLimit(),
                job.reactions().onViolation(),
                job.io().terminal(),
                job.io().streaming());
    }

    List<StagedFile> files() {
        List<StagedFile> files = new ArrayList<>();
        job.io().files().forEach(file -> files.add(new StagedFile.Inline(home + "/" + file.path(), file)));
        switch (job.command()) {
            case Command.None _, Command.OfImage _ -> {}
            case Command.Argv ignored -> {}
            case Command.Code code -> files.add(new StagedFile.Inline(codePath(code.fileName()), inline(code)));
            case Command.Script script ->
                files.add(new StagedFile.HostCopy(codePath(fileName(script.file())), script.file(), 0644));
        }
        return files;
    }

    /** Where the code is written to, for a job that brings code. */
    Optional<String> code() {
        return switch (job.command()) {
            case Command.None _, Command.OfImage _ -> Optional.empty();
            case Command.Argv ignored -> Optional.empty();
            case Command.Code code -> Optional.of(codePath(code.fileName()));
            case Command.Script script -> Optional.of(codePath(fileName(script.file())));
        };
    }

    private static WorkspaceFile inline(Command.Code code) {
        return new WorkspaceFile(code.fileName(), code.code().getBytes(StandardCharsets.UTF_8), 0644);
    }

    private String codePath(String name) {
        return codeAt + "/" + prefix + name;
    }

    private static String fileName(Path file) {
        return String.valueOf(file.getFileName());
    }

    private List<String> argv() {
        return switch (job.command()) {
            case Command.None _, Command.OfImage _ -> throw new IllegalStateException("there is no command to run");
            case Command.Argv argv -> argv.argv();
            case Command.Code code -> interpreter(code.language());
            case Command.Script script -> interpreter(script.language());
        };
    }

    private List<String> interpreter(Language language) {
        List<String> argv = new ArrayList<>(language.interpreter());
        if (language == Language.JAVA) {
            // Not every host has cgroups for the job to be shown, and without them a JVM would size itself by the host.
            argv.add("-XX:MaxRAM=" + job.limits().memory().bytes());
            argv.add("-XX:ActiveProcessorCount=" + (int) Math.ceil(job.limits().cpus()));
        }
        argv.add(code().orElseThrow());
        return argv;
    }

    private List<String> environment() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PATH", PATH);
        variables.put("HOME", home);
        variables.put("LANG", "C.UTF-8");
        variables.put("TMPDIR", temporary);
        variables.putAll(defaults.environment());
        variables.putAll(job.io().environment());
        List<String> environment = new ArrayList<>();
        variables.forEach((name, value) -> environment.add(name + "=" + value));
        return environment;
    }

    private static List<CommandRlimit> rlimits(Limits limits) {
        List<CommandRlimit> all = new ArrayList<>();
        all.add(CommandRlimit.of(Resource.CORE, CORE));
        all.add(cpu(limits.cpuTime()));
        all.add(CommandRlimit.of(Resource.FSIZE, limits.fileSize().bytes()));
        all.add(CommandRlimit.of(Resource.MEMLOCK, MEMLOCK.bytes()));
        all.add(CommandRlimit.of(Resource.NOFILE, limits.openFiles()));
        all.add(CommandRlimit.of(Resource.SIGPENDING, SIGPENDING));
        ByteSize addressSpace = limits.addressSpace();
        if (addressSpace != null) {
            all.add(CommandRlimit.of(Resource.AS, addressSpace.bytes()));
        }
        return all;
    }

    /** SIGXCPU at the limit, SIGKILL a second later. It counts each process alone; the supervisor's count of all is to be first. */
    private static CommandRlimit cpu(Duration limit) {
        long seconds = limit.plusSeconds(1).minusNanos(1).toSeconds();
        return new CommandRlimit(Resource.CPU, seconds, seconds + 1);
    }

    static CommandRlimit memoryRlimit(Limits limits) {
        return CommandRlimit.of(Resource.DATA, limits.memory().bytes());
    }

    static CommandRlimit pidsRlimit(Limits limits) {
        return CommandRlimit.of(Resource.NPROC, limits.pids());
    }
}
