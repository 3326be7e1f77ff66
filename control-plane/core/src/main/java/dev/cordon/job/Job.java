package dev.cordon.job;

import dev.cordon.job.limit.Limit;
import dev.cordon.result.OutputListener;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a caller asks for: a command and how it is to be contained. Immutable; every method returns a new job. Nothing is checked before
 * {@link #validate}, which reports all errors together.
 *
 * <pre>{@code
 * Job.python("print(6*7)").memory(ByteSize.mib(256)).timeout(Duration.ofSeconds(5))
 * }</pre>
 */
public final class Job extends ContainmentRequest<Job> {
    private final JobDraft draft;

    private Job(JobDraft draft) {
        this.draft = draft;
    }

    @Override
    Job with(Consumer<JobDraft> change) {
        JobDraft copy = new JobDraft(draft);
        change.accept(copy);
        return new Job(copy);
    }

    /** A program and its arguments; no shell reads them. */
    public static Job argv(String... argv) {
        return argv(List.of(argv));
    }

    /** A program and its arguments; no shell reads them. */
    public static Job argv(List<String> argv) {
        return new Job(new JobDraft(new Command.Argv(argv)));
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
        return new Job(new JobDraft(new Command.Code(language, code)));
    }

    /** Code of any known language, in a file of this name. */
    public static Job code(Language language, String code, String fileName) {
        return new Job(new JobDraft(new Command.Code(language, code, fileName)));
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
        return new Job(new JobDraft(new Command.Script(language, file)));
    }

    /** The command line that an image asks for. */
    public static Job ofImage(String name) {
        return new Job(new JobDraft(new Command.OfImage())).image(name);
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
