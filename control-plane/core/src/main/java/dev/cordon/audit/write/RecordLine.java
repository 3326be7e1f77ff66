package dev.cordon.audit.write;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.RecordSubject;
import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.json.JsonMembers;
import dev.cordon.result.Escalation;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes one record as a line of JSON. Control characters are escaped, so that no text of a job begins a second line; what a caller had a
 * hand in is bounded here, whoever else bounds it, so that nobody writes the disk full with what he calls things.
 *
 * @param json where it is written
 */
record RecordLine(JsonMembers json) {
    private static final JsonFactory JSON = new JsonFactory();
    /** Of each stream, when output is recorded at all. */
    private static final int MOST_OUTPUT = 65_536;
    /** Characters of a text. */
    static final int MOST_TEXT = 512;
    /** Texts of a list. */
    static final int MOST_TEXTS = 16;
    /** Characters of names and values together, a little more than a job's labels may have. */
    private static final int MOST_NOTES = 8192;

    /** The bytes without the line's end; their SHA-256 is the record's. */
    static byte[] of(long sequence, Instant time, AuditEvent event, String previous) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            JsonMembers members = new JsonMembers(json);
            members.whole(_ -> new RecordLine(members).record(sequence, time, event, previous));
        }
        return bytes.toByteArray();
    }

    private void record(long sequence, Instant time, AuditEvent event, String previous) {
        json.put("sequence", sequence).put("time", time.toString()).put("kind", event.kind());
        if (event instanceof AuditEvent.OfJob about) {
            subject(about.subject());
        }
        switch (event) {
            case AuditEvent.Decided decided -> decided(decided);
            case AuditEvent.Started started -> {
                isolation("isolation", started.isolation());
                text("profile", started.profile());
            }
            case AuditEvent.Violated violated -> violation(violated.violation());
            case AuditEvent.Escalated escalated -> {
                isolation("from", escalated.from());
                isolation("to", escalated.to());
                text("reason", escalated.reason());
            }
            case AuditEvent.Ended ended -> ended(ended.result(), ended.withOutput());
            case AuditEvent.Lost lost -> {
                json.put("outcome", "lost").put("exit_code", (String) null);
                text("detail", lost.detail());
            }
            case AuditEvent.Administered act -> administered(act);
            case AuditEvent.Retired retired -> retired(retired);
            case AuditEvent.Signed signed -> json.put("key", signed.key()).put("signature", signed.signature());
        }
        json.put("previous", previous);
    }

    private void subject(RecordSubject subject) {
        json.put("job", subject.job().value());
        text("owner", subject.owner());
        text("tool", subject.tool());
        text("program", subject.program());
        json.put("code_sha256", subject.code());
        json.put("inputs_sha256", subject.inputs());
        json.put("plan_sha256", subject.plan());
    }

    private void decided(AuditEvent.Decided decided) {
        json.put("decision", decided.answer());
        isolation("isolation", decided.isolation());
        json.put("rule", decided.rule()).put("risk", decided.risk());
        strings("reasons", decided.reasons());
        json.object("labels", () -> notes(decided.subject().labels()));
    }

    private void administered(AuditEvent.Administered act) {
        text("caller", act.caller());
        text("act", act.act());
        text("object", act.object());
        text("owner", act.owner());
        text("request", act.request());
        json.object("details", () -> notes(act.details()));
    }

    private void retired(AuditEvent.Retired retired) {
        json.put("files", retired.files()).put("bytes", retired.bytes());
        json.put("first", retired.first()).put("last", retired.last());
        json.put("last_sha256", retired.hash());
        json.put("files_in_all", retired.filesInAll());
        json.put("keep_bytes", retired.keep());
    }

    private void violation(Violation violation) {
        json.put("syscall", violation.syscall()).put("pid", violation.pid());
        text("process", violation.process());
        json.put("count", violation.count()).put("killed", violation.killed());
    }

    private void ended(Result result, boolean withOutput) {
        json.put("outcome", result.outcome().label());
        json.put("exit_code", result.outcome().exitCode());
        detail(result.outcome());
        isolation("isolation", result.applied().isolation());
        json.object("usage", () -> usage(result.usage()));
        output("stdout", result.stdout(), withOutput);
        output("stderr", result.stderr(), withOutput);
        json.put("violations", result.violations().size());
        strings("layers_missing", result.applied().layersMissing());
        Escalation escalation = result.escalation();
        if (escalation != null) {
            json.put("escalated", escalation.happened());
            text("escalation_cause", escalation.cause().label());
            text("escalation_refusal", escalation.refusal());
        }
        json.put("created_at", result.times().created().toString());
        if (result.times().started() != null) {
            json.put("started_at", result.times().started().toString());
        }
    }

    /** Fields of an invalid job are named without their values, which may be secrets. */
    private void detail(Outcome outcome) {
        switch (outcome) {
            case Outcome.Invalid invalid ->
                strings(
                        "detail",
                        invalid.errors().stream().map(FieldError::pointer).toList());
            case Outcome.Denied denied -> strings("detail", denied.reasons());
            case Outcome.HostUnsupported host -> text("detail", host.check());
            case Outcome.SetupFailed failed ->
                text("detail", failed.stage() + " " + failed.error() + " " + failed.detail());
            case Outcome.Violated violated -> json.put("detail", violated.syscall());
            case Outcome.Ended ignored -> {}
        }
    }

    private void usage(Usage usage) {
        json.put("wall_ms", usage.wall().toMillis());
        json.put("user_ms", usage.userCpu().toMillis());
        json.put("system_ms", usage.systemCpu().toMillis());
        size("max_memory_bytes", usage.peakMemory());
        size("read_bytes", usage.bytesRead());
        size("written_bytes", usage.bytesWritten());
        if (usage.pidsPeak() != null) {
            json.put("max_pids", usage.pidsPeak());
        }
    }

    private void output(String name, Output output, boolean withOutput) {
        json.put(name + "_bytes", output.total()).put(name + "_truncated", output.truncated());
        if (withOutput) {
            json.put(name, encodable(cut(output.text(), MOST_OUTPUT)));
        }
    }

    private void size(String name, @Nullable ByteSize size) {
        if (size != null) {
            json.put(name, size.bytes());
        }
    }

    private void isolation(String name, @Nullable Isolation isolation) {
        json.put(name, isolation == null ? null : isolation.label());
    }

    private void text(String name, @Nullable String value) {
        json.put(name, value == null ? null : bounded(value));
    }

    private static String bounded(String text) {
        return encodable(text.length() > MOST_TEXT ? cut(text, MOST_TEXT) + "..." : text);
    }

    private static String cut(String text, int most) {
        return text.length() > most ? text.substring(0, most) : text;
    }

    private void notes(Map<String, String> notes) {
        int room = MOST_NOTES;
        for (Map.Entry<String, String> note : notes.entrySet()) {
            room -= note.getKey().length() + note.getValue().length();
            if (room >= 0) {
                json.put(bounded(note.getKey()), bounded(note.getValue()));
            }
        }
    }

    /** Half a character, as a caller's label may have it, would be refused by the generator. */
    private static String encodable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private void strings(String name, Collection<String> values) {
        List<String> told = new ArrayList<>();
        values.stream().limit(MOST_TEXTS).forEach(value -> told.add(bounded(value)));
        if (values.size() > MOST_TEXTS) {
            told.add("and " + (values.size() - MOST_TEXTS) + " more");
        }
        json.strings(name, told);
    }
}
