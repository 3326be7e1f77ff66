package dev.cordon.job;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.OutputListener;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for: a command and how it is to be contained. Immutable; every method returns a new job. Nothing is checked before
 * {@link #validate}, which reports all errors together.
 *
 * <pre>{@code
 * Job.python("print(6*7)").memory(ByteSize.mib(256)).timeout(Duration.ofSeconds(5))
 * }</pre>
 */
public final class Job {
    /** The fields while they are gathered; a job never changes its own. */
    static final class Draft {
        Command command;
        final Map<Limit, String> limits = new EnumMap<>(Limit.class);
        final Map<String, String> environment = new LinkedHashMap<>();
        Stdin stdin = new Stdin.Empty();
        String workdir = "/workspace";
        final List<Mount> mounts = new ArrayList<>();
        final List<WorkspaceFile> files = new ArrayList<>();

        @Nullable
        ProfileRef profile;

        @Nullable
        Isolation isolation;

        @Nullable
        Isolation atMost;

        boolean escalate = true;

        @Nullable
        String image;

        boolean strict;
        OnOutputLimit onOutputLimit = OnOutputLimit.TRUNCATE;
        OnViolation onViolation = OnViolation.REFUSE;

        @Nullable
        String macLabel;

        final Map<String, String> labels = new LinkedHashMap<>();
        String owner = "local";
        Trust trust = Trust.STANDARD;

        @Nullable
        Terminal terminal;

        boolean streaming;
        final List<String> artifacts = new ArrayList<>();

        Draft(Command command) {
            this.command = command;
        }

        Draft(Draft from) {
            command = from.command;
            limits.putAll(from.limits);
            environment.putAll(from.environment);
            stdin = from.stdin;
            workdir = from.workdir;
            mounts.addAll(from.mounts);
            files.addAll(from.files);
            profile = from.profile;
            isolation = from.isolation;
            atMost = from.atMost;
            escalate = from.escalate;
            image = from.image;
            strict = from.strict;
            onOutputLimit = from.onOutputLimit;
            onViolation = from.onViolation;
            macLabel = from.macLabel;
            labels.putAll(from.labels);
            owner = from.owner;
            trust = from.trust;
            terminal = from.terminal;
            streaming = from.streaming;
            artifacts.addAll(from.artifacts);
        }
    }

    private final Draft draft;

    private Job(Draft draft) {
        this.draft = draft;
    }

    private Job with(Consumer<Draft> change) {
        Draft copy = new Draft(draft);
        change.accept(copy);
        return new Job(copy);
    }

    /** A program and its arguments; no shell reads them. */
    public static Job argv(String... argv) {
        return argv(List.of(argv));
    }

    /** A program and its arguments; no shell reads them. */
    public static Job argv(List<String> argv) {
        return new Job(new Draft(new Command.Argv(argv)));
    }

    /** Python code. */
    public static Job python(String code) {
        return code(Language.PYTHON, code);
    }

    /** JavaScript code for Node.js. */
    public static Job node(String code) {
        return code(Language.NODE, code);
    }

    /** Shell code, run by bash. */
    public static Job shell(String code) {
        return code(Language.BASH, code);
    }

    /** Java code, one source file. */
    public static Job java(String code) {
        return code(Language.JAVA, code);
    }

    /** Code of any known language. */
    public static Job code(Language language, String code) {
        return new Job(new Draft(new Command.Code(language, code)));
    }

    /** Code of any known language, in a file of this name. */
    public static Job code(Language language, String code, String fileName) {
        return new Job(new Draft(new Command.Code(language, code, fileName)));
    }

    /**
     * A host file of code; its extension tells the language.
     *
     * @throws IllegalArgumentException when the extension tells no language
     */
    public static Job file(Path file) {
        Path name = file.getFileName();
        return file(
                file,
                Language.ofFileName(name == null ? "" : name.toString())
                        .orElseThrow(() -> new IllegalArgumentException("the name of " + file
                                + " tells no language; name it, such as Job.file(path, Language.PYTHON)")));
    }

    /** A host file of code, copied into the workspace under its own name. */
    public static Job file(Path file, Language language) {
        return new Job(new Draft(new Command.Script(language, file)));
    }

    /** Memory of the whole job. */
    public Job memory(ByteSize size) {
        return limit(Limit.MEMORY, size.toString());
    }

    /** Wall-clock time. */
    public Job timeout(Duration time) {
        return limit(Limit.TIMEOUT, DurationFormat.format(time));
    }

    /** CPU time of the whole job. */
    public Job cpuTime(Duration time) {
        return limit(Limit.CPU_TIME, DurationFormat.format(time));
    }

    /** CPUs' worth of time per second; fractions are fine. */
    public Job cpus(double cpus) {
        boolean finite = Double.isFinite(cpus);
        return limit(Limit.CPUS, finite ? BigDecimal.valueOf(cpus).toPlainString() : Double.toString(cpus));
    }

    /** Processes and threads at one time. */
    public Job pids(long count) {
        return limit(Limit.PIDS, Long.toString(count));
    }

    /** Bytes in each of /workspace and /tmp. */
    public Job disk(ByteSize size) {
        return limit(Limit.DISK, size.toString());
    }

    /** Files and directories in each of /workspace and /tmp. */
    public Job files(long count) {
        return limit(Limit.FILES, Long.toString(count));
    }

    /** The largest single file. */
    public Job fileSize(ByteSize size) {
        return limit(Limit.FILE_SIZE, size.toString());
    }

    /** Open descriptors of one process. */
    public Job openFiles(long count) {
        return limit(Limit.OPEN_FILES, Long.toString(count));
    }

    /** Bytes kept of each of stdout and stderr. */
    public Job output(ByteSize size) {
        return limit(Limit.OUTPUT, size.toString());
    }

    /** Address space of one process. Breaks most JVMs, Node.js and Go. */
    public Job addressSpace(ByteSize size) {
        return limit(Limit.ADDRESS_SPACE, size.toString());
    }

    /** Bytes per second read from each block device. */
    public Job readRate(ByteSize perSecond) {
        return limit(Limit.READ_RATE, perSecond.toString());
    }

    /** Bytes per second written to each block device. */
    public Job writeRate(ByteSize perSecond) {
        return limit(Limit.WRITE_RATE, perSecond.toString());
    }

    /** Read operations per second on each block device. */
    public Job readOperations(long perSecond) {
        return limit(Limit.READ_OPERATIONS, Long.toString(perSecond));
    }

    /** Write operations per second on each block device. */
    public Job writeOperations(long perSecond) {
        return limit(Limit.WRITE_OPERATIONS, Long.toString(perSecond));
    }

    /** Any limit as text, such as {@code 256M}, {@code 10s}, {@code 0.5}; read by {@link #validate}. */
    public Job limit(Limit limit, String amount) {
        return with(d -> d.limits.put(limit, amount));
    }

    /** An environment variable. */
    public Job env(String name, String value) {
        return with(d -> d.environment.put(name, value));
    }

    /** Adds variables of the environment. */
    public Job env(Map<String, String> variables) {
        return with(d -> d.environment.putAll(variables));
    }

    /** Standard input from bytes. */
    public Job stdin(byte[] content) {
        return stdin(new Stdin.Bytes(content));
    }

    /** Standard input from text, as UTF-8. */
    public Job stdin(String text) {
        return stdin(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Standard input from a stream. */
    public Job stdin(InputStream stream) {
        return stdin(new Stdin.Stream(stream));
    }

    /** Standard input from a host file. */
    public Job stdin(Path file) {
        return stdin(new Stdin.FromFile(file));
    }

    /** Standard input. */
    public Job stdin(Stdin stdin) {
        return with(d -> d.stdin = stdin);
    }

    /**
     * A terminal instead of three streams: what the command writes, to standard error too, comes as standard output, and what is typed
     * echoes. Its end of input is control-D.
     */
    public Job terminal(int rows, int columns) {
        return with(d -> d.terminal = new Terminal(rows, columns));
    }

    /**
     * Lets the caller read standard output and standard error as streams while the job runs, all of it; a reader who is slow makes the
     * job wait in its write. The result still holds the beginning, up to the output limit. An output listener is not called.
     */
    public Job streaming() {
        return with(d -> d.streaming = true);
    }

    /** The working directory inside the jail. */
    public Job workdir(String directory) {
        return with(d -> d.workdir = directory);
    }

    /** Shows a host file or directory to the job, read-only. */
    public Job readOnly(Path source, String target) {
        return with(d -> d.mounts.add(new Mount(source, target, false)));
    }

    /** Lets the job change a host directory while it runs. */
    public Job readWrite(Path source, String target) {
        return with(d -> d.mounts.add(new Mount(source, target, true)));
    }

    /**
     * Collects files that the job leaves below its workspace when it is over: {@link OutputListener#artifact} hears their content, and the
     * result lists them. At most 100 files and 64 MiB; regular files only, links are not followed.
     *
     * @param glob such as {@code report.csv}, {@code out/*.png} or {@code out/**}
     */
    public Job artifact(String glob) {
        return with(draft -> draft.artifacts.add(glob));
    }

    /** Collects what these globs match, too. */
    public Job artifacts(List<String> globs) {
        return with(draft -> draft.artifacts.addAll(globs));
    }

    /** What is to be collected. */
    public List<String> artifacts() {
        return List.copyOf(draft.artifacts);
    }

    /** Writes a file into the workspace before the job starts. */
    public Job put(String path, byte[] content) {
        return put(new WorkspaceFile(path, content, 0644));
    }

    /** Writes a file into the workspace before the job starts. */
    public Job put(WorkspaceFile file) {
        return with(d -> d.files.add(file));
    }

    /** Writes files into the workspace before the job starts. */
    public Job put(List<WorkspaceFile> files) {
        return with(d -> d.files.addAll(files));
    }

    /** One of Cordon's own seccomp profiles. */
    public Job profile(String name) {
        return with(d -> d.profile = new ProfileRef.Named(name));
    }

    /** A seccomp profile from a JSON file. */
    public Job profile(Path file) {
        return with(d -> d.profile = new ProfileRef.FromFile(file));
    }

    /** The isolation level. Never lowered; without it the policy decides. */
    public Job isolation(Isolation isolation) {
        return with(d -> d.isolation = isolation);
    }

    /** The highest isolation level. Where the policy wants a higher one the job is refused, not weakened. */
    public Job isolationAtMost(Isolation level) {
        return with(d -> d.atMost = level);
    }

    /**
     * Whether the job may be run again in a virtual machine where the policy says so; it may unless this says otherwise. What the policy
     * watches for stops it in either case.
     */
    public Job escalate(boolean allowed) {
        return with(d -> d.escalate = allowed);
    }

    /** The image that is the job's root, of those that {@code cordon image ls} lists. Without it: the host's own programs, or in a machine "base". */
    public Job image(String name) {
        return with(d -> d.image = name);
    }

    /** Whether to refuse the job where the host cannot enforce one of its limits or layers. */
    public Job strict(boolean strict) {
        return with(d -> d.strict = strict);
    }

    /** What happens at the output limit. */
    public Job onOutputLimit(OnOutputLimit reaction) {
        return with(d -> d.onOutputLimit = reaction);
    }

    /** What happens at a tripwire. */
    public Job onViolation(OnViolation reaction) {
        return with(d -> d.onViolation = reaction);
    }

    /** An AppArmor profile or SELinux context to execute under. */
    public Job macLabel(String label) {
        return with(d -> d.macLabel = label);
    }

    /** A note of the caller's, kept with the result. */
    public Job label(String name, String value) {
        return with(d -> d.labels.put(name, value));
    }

    /** Adds labels. */
    public Job labels(Map<String, String> labels) {
        return with(d -> d.labels.putAll(labels));
    }

    /** How far the caller vouches for the code; nothing is said without it. */
    public Job trust(Trust trust) {
        return with(d -> d.trust = trust);
    }

    /** On whose behalf the job runs. */
    public Job owner(String owner) {
        return with(d -> d.owner = owner);
    }

    /**
     * What keeps this job from being run by somebody who only waits for its end: input that is fed, or output that is read, while it runs.
     * Such a job is for {@code start}, which gives the caller its streams.
     */
    public List<FieldError> attended() {
        List<FieldError> errors = new ArrayList<>();
        if (draft.stdin instanceof Stdin.Fed) {
            errors.add(new FieldError(
                    "/stdin",
                    "fed",
                    "waits for input that nobody can write while run() waits for the end",
                    "use start() and RunningJob.stdin(), or give the whole input"));
        }
        if (draft.streaming) {
            errors.add(new FieldError(
                    "/streaming",
                    "true",
                    "waits for a reader of its output, and run() reads none",
                    "use start() and RunningJob.stdout(), or give run() a listener instead"));
        }
        return errors;
    }

    /**
     * Checks everything, with Cordon's own default limits.
     *
     * @throws InvalidJob with all field errors
     */
    public JobSpec validate() {
        return validate(Map.of());
    }

    /**
     * Checks everything.
     *
     * @param defaults the operator's default limits, in their base units; Cordon's own stand in for missing ones
     * @throws InvalidJob with all field errors
     */
    public JobSpec validate(Map<Limit, Long> defaults) {
        return new JobCheck(draft).check(defaults);
    }

    /**
     * Checks everything, for a job in a sandbox that stands. What it does not name is the sandbox's.
     *
     * @param sandbox what the sandbox was opened with
     * @throws InvalidJob with all field errors; fields that are the sandbox's matter are among them
     */
    public JobSpec validateIn(JobSpec sandbox) {
        return new JobCheck(draft).checkIn(sandbox);
    }
}
