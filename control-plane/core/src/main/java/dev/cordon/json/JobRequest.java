package dev.cordon.json;

import dev.cordon.job.Command;
import dev.cordon.job.Containment;
import dev.cordon.job.ContainmentRequest;
import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Language;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Stdin;
import dev.cordon.job.Trust;
import dev.cordon.job.WorkspaceFile;
import dev.cordon.job.limit.Limit;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of {@code POST /v1/jobs}, both ways. Host paths are not among its fields: what a client names is inside the sandbox.
 *
 * @param job    the job, without an owner
 * @param labels the caller's notes
 * @param fed    whether its standard input comes in later requests
 * @param terminal whether somebody sits at a terminal of its
 * @param trust  how far the client vouches for the code
 * @param sent   how it was written
 */
public record JobRequest(
        Job job, Map<String, String> labels, boolean fed, boolean terminal, Trust trust, SentFields sent) {
    /** Copies the labels, keeping their order. */
    public JobRequest {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** The beginning of labels that are the service's own. */
    private static final String OWN = "cordon/";
    /** Who handed a job in, where that is another than its owner. */
    public static final String SUBMITTED_BY = OWN + "submitted_by";
    /** What the job of a tool's call has; policies and searches take it for that. */
    private static final String TOOL = "tool";

    private static final long MOST_CELLS = 10_000;
    /**
     * Reads a body.
     *
     * @param languages knows languages by name; throws what the client is to hear of another
     * @param ceilings  throws what the client is to hear of limits that are too high for the service
     * @throws InvalidRequest when anything is wrong
     */
    public static JobRequest read(
            RequestFields fields, Function<String, Language> languages, Consumer<Map<Limit, String>> ceilings) {
        Job job = provided(fields, command(fields, languages), ceilings);
        job = job.put(fields.objects("files").stream().map(JobRequest::file).toList());
        boolean fed = fields.flag("stdin_open");
        Optional<String> stdin = fields.text("stdin");
        if (stdin.isPresent() && fed) {
            fields.error(
                    "stdin_open",
                    "true",
                    "does not go with stdin",
                    "send either the whole input, or POST it to .../stdin");
        }
        job = stdin.filter(text -> !text.isEmpty()).map(job::stdin).orElse(job);
        job = fed ? job.stdin(Stdin.fed()) : job;
        Optional<RequestFields> tty = fields.object("tty");
        if (tty.isPresent()) {
            if (stdin.isPresent() || fed) {
                fields.error("tty", "a terminal", "does not go with stdin", "send what is typed over .../tty");
            }
            job = terminal(job, tty.get());
        }
        job = fields.text("workdir").map(job::workdir).orElse(job);
        job = contained(fields, job, true);
        job = fields.choice("on_output_limit", OnOutputLimit.class)
                .map(job::onOutputLimit)
                .orElse(job);
        job = job.artifacts(fields.texts("artifacts"));
        network(fields);
        Map<String, String> labels = labels(fields);
        Trust trust = trust(fields);
        fields.end();
        return new JobRequest(job.labels(labels).trust(trust), labels, fed, tty.isPresent(), trust, fields.sent());
    }

    /** The notes that a client puts on what it submits. */
    public static Map<String, String> labels(RequestFields fields) {
        Map<String, String> labels = fields.textMap("labels");
        for (String name : labels.keySet()) {
            if (name.startsWith(OWN)) {
                fields.error(
                        "labels/" + FieldError.escaped(name),
                        name,
                        "begins with " + OWN + ", which is the service's own",
                        "take another name");
            }
            if (name.equals(TOOL)) {
                fields.error(
                        "labels/" + TOOL,
                        name,
                        "is what calls of registered tools have",
                        "take another name, or call the tool with POST /v1/tools/{name}");
            }
        }
        return labels;
    }

    /** How far a client vouches for what it submits. */
    public static Trust trust(RequestFields fields) {
        return fields.parsed("trust", Trust::parse, "is not a level of trust", "use trusted, standard or untrusted")
                .orElse(Trust.STANDARD);
    }

    /** Its output is read by whoever sits at it, at that one's pace, and not kept. */
    private static Job terminal(Job job, RequestFields tty) {
        String remedy = "give a terminal's size";
        long rows = tty.upTo(MOST_CELLS, "rows", remedy).orElse(24L);
        long columns = tty.upTo(MOST_CELLS, "columns", remedy).orElse(80L);
        return job.terminal((int) rows, (int) columns).stdin(Stdin.fed()).streaming();
    }

    private static Job command(RequestFields fields, Function<String, Language> languages) {
        Optional<String> code = fields.text("code");
        Optional<String> language = fields.text("language");
        Optional<String> shell = fields.text("command");
        List<String> argv = fields.texts("argv");
        int given = (fields.has("code") ? 1 : 0) + (fields.has("argv") ? 1 : 0) + (fields.has("command") ? 1 : 0);
        if (given == 0 && fields.has("image")) {
            return Job.ofImage(fields.text("image").orElse(""));
        }
        if (given != 1) {
            fields.error(
                    "argv",
                    given + " commands",
                    "is not exactly one of code, argv and command",
                    "give one of them, or an image that has a command of its own");
        } else if (code.isPresent() != language.isPresent()) {
            fields.error(
                    "language",
                    language.orElse(""),
                    "goes with code, and code with it",
                    "give both, such as language: python");
        } else if (code.isPresent()) {
            Language known = languages.apply(language.orElse(""));
            return Job.code(known, code.get(), fields.text("file_name").orElse(known.fileName()));
        } else if (shell.isPresent()) {
            return Job.argv("/bin/sh", "-c", shell.get());
        }
        return Job.argv(argv);
    }

    private static WorkspaceFile file(RequestFields file) {
        String encoding = file.text("encoding").orElse("utf-8");
        boolean exact = encoding.equals("base64");
        if (!exact && !encoding.equals("utf-8")) {
            file.error("encoding", encoding, "is not a known encoding", "utf-8 or base64");
        }
        return new WorkspaceFile(
                file.text("path").orElse(""),
                file.parsed(
                                "content",
                                text -> exact
                                        ? Base64.getDecoder().decode(text)
                                        : text.getBytes(StandardCharsets.UTF_8),
                                "is not base64",
                                "encode it as RFC 4648 has it, or leave encoding out")
                        .orElse(new byte[0]),
                file.parsed(
                                "mode",
                                text -> Integer.parseInt(text, 8),
                                "is not an octal number",
                                "write it as text, such as \"0644\"")
                        .orElse(0644));
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

    /** What a job or a sandbox may take and has around it. */
    static <T extends ContainmentRequest<T>> T provided(
            RequestFields fields, T job, Consumer<Map<Limit, String>> ceilings) {
        Map<Limit, String> limits = fields.object("limits").map(LimitJson::read).orElse(Map.of());
        ceilings.accept(limits);
        T limited = job;
        for (Map.Entry<Limit, String> limit : limits.entrySet()) {
            limited = limited.limit(limit.getKey(), limit.getValue());
        }
        return limited.env(fields.textMap("env"));
    }

    /** How a job or a sandbox is held. A sandbox is never run again. */
    static <T extends ContainmentRequest<T>> T contained(RequestFields fields, T job, boolean escalates) {
        T held = isolation(fields, job, escalates);
        held = fields.text("image").map(held::image).orElse(held);
        held = held.strict(fields.flag("strict"));
        held = fields.text("profile").map(held::profile).orElse(held);
        return fields.choice("on_violation", OnViolation.class)
                .map(held::onViolation)
                .orElse(held);
    }

    /** A text names the level, an object its bounds. A level is never lowered, so that a text and the lower bound mean the same. */
    private static <T extends ContainmentRequest<T>> T isolation(RequestFields fields, T job, boolean escalates) {
        JsonNode value = fields.raw("isolation");
        if (value == null || value.isString()) {
            return level(fields, "isolation").map(job::isolation).orElse(job);
        }
        Optional<RequestFields> bounds = fields.object("isolation");
        if (bounds.isEmpty()) {
            return job;
        }
        T asked = level(bounds.get(), "min").map(job::isolation).orElse(job);
        asked = level(bounds.get(), "max").map(asked::isolationAtMost).orElse(asked);
        if (escalates) {
            String word = bounds.get().text("escalate").orElse("on_violation");
            if (!word.equals("on_violation") && !word.equals("never")) {
                bounds.get().error("escalate", word, "is not a known choice", "one of: on_violation, never");
            }
            asked = asked.escalate(!word.equals("never"));
        }
        return asked;
    }

    private static Optional<Isolation> level(RequestFields fields, String name) {
        return fields.parsed(name, Isolation::parse, "is not an isolation level", "one of: process, jail, vm");
    }

    /** A job that was checked, as a body; its input and a script's code, which are the host's, are left to the caller. */
    public static void write(ObjectNode body, JobSpec job) {
        switch (job.command()) {
            case Command.None _, Command.OfImage _ -> {}
            case Command.Argv argv -> argv.argv().forEach(body.putArray("argv")::add);
            case Command.Code code -> {
                body.put("language", code.language().label()).put("code", code.code());
                if (!code.fileName().equals(code.language().fileName())) {
                    body.put("file_name", code.fileName());
                }
            }
            case Command.Script script ->
                body.put("language", script.language().label())
                        .put("file_name", String.valueOf(script.file().getFileName()));
        }
        writeContainment(body, job);
        if (!job.io().artifacts().isEmpty()) {
            job.io().artifacts().forEach(body.putArray("artifacts")::add);
        }
        if (!job.io().workdir().isEmpty()) {
            body.put("workdir", job.io().workdir());
        }
        if (job.reactions().onOutputLimit() != OnOutputLimit.TRUNCATE) {
            body.put("on_output_limit", OutcomeJson.name(job.reactions().onOutputLimit()));
        }
        if (job.origin().trust() != Trust.STANDARD) {
            body.put("trust", job.origin().trust().label());
        }
    }

    /** What of a job is also a sandbox's, unless it is what there is without asking. */
    static void writeContainment(ObjectNode body, JobSpec job) {
        Containment held = job.containment();
        if (!held.mounts().isEmpty() || held.macLabel() != null || held.profile() instanceof ProfileRef.FromFile) {
            throw new IllegalArgumentException("mounts, security labels and profiles of a file are this host's");
        }
        ObjectNode limits = body.objectNode();
        job.limits().amounts().forEach((limit, amount) -> {
            if (job.asked().contains(limit)) {
                LimitJson.write(limits, limit, amount);
            }
        });
        set(body, "limits", limits);
        set(body, "env", texts(body, job.io().environment()));
        set(body, "labels", texts(body, job.origin().labels()));
        ObjectNode bounds = body.objectNode();
        if (job.containment().isolation() != null) {
            bounds.put("min", job.containment().isolation().label());
        }
        if (job.containment().atMost() != null) {
            bounds.put("max", job.containment().atMost().label());
        }
        if (!job.reactions().escalate() && !(job.command() instanceof Command.None)) {
            bounds.put("escalate", "never");
        }
        set(body, "isolation", bounds);
        if (job.containment().image() != null) {
            body.put("image", job.containment().image());
        }
        if (job.containment().profile() instanceof ProfileRef.Named profile
                && !profile.name().equals(job.command().profile())) {
            body.put("profile", profile.name());
        }
        if (job.containment().strict()) {
            body.put("strict", true);
        }
        if (job.reactions().onViolation() != OnViolation.REFUSE) {
            body.put("on_violation", OutcomeJson.name(job.reactions().onViolation()));
        }
    }

    private static void set(ObjectNode body, String name, ObjectNode members) {
        if (!members.isEmpty()) {
            body.set(name, members);
        }
    }

    private static ObjectNode texts(ObjectNode body, Map<String, String> texts) {
        ObjectNode node = body.objectNode();
        texts.forEach(node::put);
        return node;
    }
}
