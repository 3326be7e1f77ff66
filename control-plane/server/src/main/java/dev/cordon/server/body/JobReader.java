package dev.cordon.server.body;

import dev.cordon.job.FieldError;
import dev.cordon.job.Job;
import dev.cordon.job.Language;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.Stdin;
import dev.cordon.job.Trust;
import dev.cordon.job.WorkspaceFile;
import dev.cordon.job.limit.Limit;
import dev.cordon.server.access.Caller;
import dev.cordon.server.access.Role;
import dev.cordon.server.job.SentFields;
import dev.cordon.server.problem.Problem;
import dev.cordon.server.problem.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /v1/jobs} as a job. Host paths are not among its fields: what a client names is inside the sandbox. */
public final class JobReader {
    /**
     * What was read.
     *
     * @param job    the job, without an owner
     * @param labels the caller's notes
     * @param fed    whether its standard input comes in later requests
     * @param terminal whether somebody sits at a terminal of its
     * @param trust  how far the client vouches for the code
     * @param sent   how it was written
     */
    public record Read(
            Job job, Map<String, String> labels, boolean fed, boolean terminal, Trust trust, SentFields sent) {
        /**
         * The job, as a caller of this role may hand it in.
         *
         * @throws Problem when the client vouches for more than it may
         */
        public Job of(Caller caller) {
            checkTrust(trust, caller);
            return job.owner(caller.owner());
        }
    }

    private static final long MOST_CELLS = 10_000;

    private final long mostOutput;

    /** Refuses to keep more output than that. */
    public JobReader(long mostOutput) {
        this.mostOutput = mostOutput;
    }

    public Read read(RequestFields fields) {
        Job job = command(fields);
        job = limits(job, fields);
        job = job.env(fields.textMap("env"));
        job = job.put(fields.objects("files").stream().map(JobReader::file).toList());
        boolean fed = fields.flag("stdin_open");
        Optional<String> stdin = fields.text("stdin");
        if (stdin.isPresent() && fed) {
            fields.error(
                    "stdin_open",
                    "true",
                    "does not go with stdin",
                    "send either the whole input, or POST it to .../stdin");
        } else if (stdin.isPresent() && !stdin.get().isEmpty()) {
            job = job.stdin(stdin.get());
        }
        job = fed ? job.stdin(Stdin.fed()) : job;
        Optional<RequestFields> tty = fields.object("tty");
        if (tty.isPresent()) {
            if (stdin.isPresent() || fed) {
                fields.error("tty", "a terminal", "does not go with stdin", "send what is typed over .../tty");
            }
            job = terminal(job, tty.get());
        }
        Optional<String> directory = fields.text("cwd");
        job = directory.isPresent() ? job.workdir(directory.get()) : job;
        job = IsolationField.applied(fields, job);
        Optional<String> image = fields.text("image");
        job = image.isPresent() ? job.image(image.get()) : job;
        job = reactions(job, fields);
        job = job.artifacts(fields.texts("artifacts"));
        network(fields);
        Map<String, String> labels = RequestLabels.read(fields);
        job = job.labels(labels);
        Trust trust = trust(fields);
        fields.end();
        return new Read(job.trust(trust), labels, fed, tty.isPresent(), trust, fields.sent());
    }

    /** Who vouches for code must be somebody whom the operator trusts. */
    public static void checkTrust(Trust trust, Caller caller) {
        if (trust == Trust.TRUSTED && caller.role() != Role.ADMIN) {
            throw Problem.of(
                    ProblemCode.FORBIDDEN,
                    "trust: trusted needs the role admin, the caller has "
                            + caller.role().label() + "; leave it out");
        }
    }

    public static Trust trust(RequestFields fields) {
        String text = fields.text("trust").orElse(Trust.STANDARD.label());
        try {
            return Trust.parse(text);
        } catch (IllegalArgumentException e) {
            fields.error("trust", text, "is no trust", "use trusted, standard or untrusted");
            return Trust.STANDARD;
        }
    }

    /** Its output is read by whoever sits at it, at that one's pace, and not kept. */
    private static Job terminal(Job job, RequestFields tty) {
        long rows = tty.whole("rows").orElse(24);
        long columns = tty.whole("columns").orElse(80);
        boolean tall = isSize(tty, "rows", rows);
        boolean wide = isSize(tty, "columns", columns);
        return tall && wide
                ? job.terminal((int) rows, (int) columns).stdin(Stdin.fed()).streaming()
                : job;
    }

    private static boolean isSize(RequestFields tty, String name, long cells) {
        boolean fits = cells >= 1 && cells <= MOST_CELLS;
        if (!fits) {
            tty.error(name, Long.toString(cells), "is not between 1 and " + MOST_CELLS, "give a terminal's size");
        }
        return fits;
    }

    private static Job command(RequestFields fields) {
        Optional<String> code = fields.text("code");
        Optional<String> language = fields.text("language");
        Optional<String> shell = fields.text("command");
        List<String> argv = fields.texts("argv");
        int given = (fields.has("code") ? 1 : 0) + (fields.has("argv") ? 1 : 0) + (fields.has("command") ? 1 : 0);
        if (given != 1) {
            fields.error(
                    "argv", given + " commands", "is not exactly one of code, argv and command", "give one of them");
        } else if (code.isPresent() != language.isPresent()) {
            fields.error(
                    "language",
                    language.orElse(""),
                    "goes with code, and code with it",
                    "give both, such as language: python");
        } else if (code.isPresent()) {
            Language known = language(language.orElse(""));
            return Job.code(known, code.get(), fields.text("file_name").orElse(known.fileName()));
        } else if (shell.isPresent()) {
            return Job.argv("/bin/sh", "-c", shell.get());
        }
        return Job.argv(argv);
    }

    private static Language language(String name) {
        try {
            return Language.parse(name);
        } catch (IllegalArgumentException e) {
            throw Problem.of(
                    ProblemCode.UNKNOWN_LANGUAGE,
                    List.of(new FieldError(
                            "/language", name, "is no known language", "one of those that GET /v1/runtimes lists")));
        }
    }

    private Job limits(Job job, RequestFields fields) {
        Optional<RequestFields> limits = fields.object("limits");
        if (limits.isEmpty()) {
            return job;
        }
        Map<Limit, String> asked = LimitFields.read(limits.get());
        String output = asked.get(Limit.OUTPUT);
        if (output != null && Long.parseLong(output) > mostOutput) {
            throw Problem.of(
                    ProblemCode.LIMIT_ABOVE_MAXIMUM,
                    List.of(new FieldError(
                            "/limits/output_bytes",
                            output,
                            "is above this service's " + mostOutput,
                            "ask for less, or write to a file")));
        }
        return LimitFields.apply(job, asked);
    }

    private static WorkspaceFile file(RequestFields file) {
        String path = file.text("path").orElse("");
        String content = file.text("content").orElse("");
        String encoding = file.text("encoding").orElse("utf-8");
        byte[] bytes = new byte[0];
        switch (encoding) {
            case "utf-8" -> bytes = content.getBytes(StandardCharsets.UTF_8);
            case "base64" -> {
                try {
                    bytes = Base64.getDecoder().decode(content);
                } catch (IllegalArgumentException e) {
                    file.error(
                            "content", content, "is not base64", "encode it as RFC 4648 has it, or leave encoding out");
                }
            }
            default -> file.error("encoding", encoding, "is no known encoding", "utf-8 or base64");
        }
        return new WorkspaceFile(path, bytes, mode(file));
    }

    private static int mode(RequestFields file) {
        String text = file.text("mode").orElse("0644");
        try {
            return Integer.parseInt(text, 8);
        } catch (NumberFormatException e) {
            file.error("mode", text, "is no octal number", "write it as text, such as \"0644\"");
            return 0644;
        }
    }

    private static Job reactions(Job job, RequestFields fields) {
        Job changed = job.strict(fields.flag("strict"));
        Optional<String> profile = fields.text("profile");
        if (profile.isPresent()) {
            changed = changed.profile(profile.get());
        }
        OnViolation violation = choice(fields, "on_violation", OnViolation.values());
        changed = violation == null ? changed : changed.onViolation(violation);
        OnOutputLimit output = choice(fields, "on_output_limit", OnOutputLimit.values());
        return output == null ? changed : changed.onOutputLimit(output);
    }

    static <E extends Enum<E>> @Nullable E choice(RequestFields fields, String name, E[] values) {
        Optional<String> text = fields.text(name);
        for (E value : values) {
            if (text.isPresent() && text.get().equals(value.name().toLowerCase(Locale.ROOT))) {
                return value;
            }
        }
        text.ifPresent(wrong -> fields.error(
                name,
                wrong,
                "is no known choice",
                "one of: "
                        + String.join(
                                ", ",
                                Arrays.stream(values)
                                        .map(value -> value.name().toLowerCase(Locale.ROOT))
                                        .toList())));
        return null;
    }

    /** There is no way out of a sandbox; a client that says so is right, one that wants another thing is told. */
    private static void network(RequestFields fields) {
        fields.object("network").ifPresent(network -> {
            String standard = network.text("default").orElse("deny");
            if (!standard.equals("deny")) {
                network.error("default", standard, "is not offered", "leave it out: jobs have no network");
            }
            if (!network.objects("allow").isEmpty()) {
                network.error("allow", "rules", "is not offered", "leave it out: jobs have no network");
            }
        });
    }
}
