package dev.cordon.audit.write;

import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.RecordSubject;
import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Escalation;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes one record as a line of JSON. Control characters are escaped, so that no text of a job begins a second line; what a caller had a
 * hand in is bounded here, whoever else bounds it, so that nobody writes the disk full with what he calls things.
 */
final class RecordLine {
    private static final JsonFactory JSON = new JsonFactory();
    /** Of each stream, when output is recorded at all. */
    private static final int MOST_OUTPUT = 65_536;
    /** Characters of a text. */
    static final int MOST_TEXT = 512;
    /** Texts of a list. */
    static final int MOST_TEXTS = 16;
    /** Characters of names and values together, a little more than a job's labels may have. */
    private static final int MOST_NOTES = 8192;

    private final JsonGenerator json;

    private RecordLine(JsonGenerator json) {
        this.json = json;
    }

    /** The bytes without the line's end; their SHA-256 is the record's. */
    static byte[] of(long sequence, Instant time, AuditEvent event, String previous) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            new RecordLine(json).record(sequence, time, event, previous);
        }
        return bytes.toByteArray();
    }

    private void record(long sequence, Instant time, AuditEvent event, String previous) {
        json.writeStartObject();
        json.writeNumberProperty("sequence", sequence);
        json.writeStringProperty("time", time.toString());
        json.writeStringProperty("kind", event.kind());
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
                json.writeStringProperty("outcome", "lost");
                json.writeNullProperty("exit_code");
                text("detail", lost.detail());
            }
            case AuditEvent.Administered act -> administered(act);
            case AuditEvent.Retired retired -> retired(retired);
            case AuditEvent.Signed signed -> {
                json.writeStringProperty("key", signed.key());
                json.writeStringProperty("signature", signed.signature());
            }
        }
        json.writeStringProperty("previous", previous);
        json.writeEndObject();
    }

    private void subject(RecordSubject subject) {
        json.writeStringProperty("job", subject.job().value());
        text("owner", subject.owner());
        String tool = subject.tool();
        if (tool == null) {
            json.writeNullProperty("tool");
        } else {
            text("tool", tool);
        }
        text("program", subject.program());
        json.writeStringProperty("code_sha256", subject.code());
        json.writeStringProperty("inputs_sha256", subject.inputs());
        json.writeStringProperty("plan_sha256", subject.plan());
    }

    private void decided(AuditEvent.Decided decided) {
        json.writeStringProperty("decision", decided.answer());
        isolation("isolation", decided.isolation());
        json.writeStringProperty("rule", decided.rule());
        json.writeNumberProperty("risk", decided.risk());
        strings("reasons", decided.reasons());
        notes("labels", decided.subject().labels());
    }

    private void administered(AuditEvent.Administered act) {
        text("caller", act.caller());
        text("act", act.act());
        text("object", act.object());
        text("owner", act.owner());
        text("request", act.request());
        notes("details", act.details());
    }

    private void retired(AuditEvent.Retired retired) {
        json.writeNumberProperty("files", retired.files());
        json.writeNumberProperty("bytes", retired.bytes());
        json.writeNumberProperty("first", retired.first());
        json.writeNumberProperty("last", retired.last());
        json.writeStringProperty("last_sha256", retired.hash());
        json.writeNumberProperty("files_in_all", retired.filesInAll());
        json.writeNumberProperty("keep_bytes", retired.keep());
    }

    private void violation(Violation violation) {
        json.writeStringProperty("syscall", violation.syscall());
        json.writeNumberProperty("pid", violation.pid());
        text("process", violation.process());
        json.writeNumberProperty("count", violation.count());
        json.writeBooleanProperty("killed", violation.killed());
    }

    private void ended(Result result, boolean withOutput) {
        json.writeStringProperty("outcome", result.outcome().label());
        json.writeNumberProperty("exit_code", result.outcome().exitCode());
        detail(result.outcome());
        isolation("isolation", result.applied().isolation());
        usage(result.usage());
        output("stdout", result.stdout(), withOutput);
        output("stderr", result.stderr(), withOutput);
        json.writeNumberProperty("violations", result.violations().size());
        strings("layers_missing", result.applied().layersMissing());
        Escalation escalation = result.escalation();
        if (escalation != null) {
            json.writeBooleanProperty("escalated", escalation.happened());
            text("escalation_cause", escalation.cause().label());
            text("escalation_refusal", escalation.refusal());
        }
        json.writeStringProperty("created_at", result.times().created().toString());
        if (result.times().started() != null) {
            json.writeStringProperty("started_at", result.times().started().toString());
        }
    }

    /** Fields of an invalid job are named without their values, which may be secrets. */
    private void detail(Outcome outcome) {
        switch (outcome) {
            case Outcome.Invalid invalid ->
                strings(
                        "detail",
                        invalid.errors().stream().map(FieldError::field).toList());
            case Outcome.Denied denied -> strings("detail", denied.reasons());
            case Outcome.HostUnsupported host -> text("detail", host.check());
            case Outcome.SetupFailed failed ->
                text("detail", failed.stage() + " " + failed.error() + " " + failed.detail());
            case Outcome.Violated violated -> json.writeStringProperty("detail", violated.syscall());
            case Outcome.Ended ignored -> {}
        }
    }

    private void usage(Usage usage) {
        json.writeObjectPropertyStart("usage");
        json.writeNumberProperty("wall_ms", usage.wall().toMillis());
        json.writeNumberProperty("user_ms", usage.userCpu().toMillis());
        json.writeNumberProperty("system_ms", usage.systemCpu().toMillis());
        size("max_memory_bytes", usage.peakMemory());
        size("read_bytes", usage.bytesRead());
        size("written_bytes", usage.bytesWritten());
        if (usage.pidsPeak() != null) {
            json.writeNumberProperty("max_pids", usage.pidsPeak());
        }
        json.writeEndObject();
    }

    private void output(String name, Output output, boolean withOutput) {
        json.writeNumberProperty(name + "_bytes", output.total());
        json.writeBooleanProperty(name + "_truncated", output.truncated());
        if (withOutput) {
            String text = output.text();
            json.writeStringProperty(name, encodable(cut(text, MOST_OUTPUT)));
        }
    }

    private void size(String name, @Nullable ByteSize size) {
        if (size != null) {
            json.writeNumberProperty(name, size.bytes());
        }
    }

    private void isolation(String name, @Nullable Isolation isolation) {
        if (isolation == null) {
            json.writeNullProperty(name);
        } else {
            json.writeStringProperty(name, isolation.label());
        }
    }

    private void text(String name, String value) {
        json.writeStringProperty(name, encodable(shortened(value)));
    }

    private static String shortened(String text) {
        return text.length() > MOST_TEXT ? cut(text, MOST_TEXT) + "..." : text;
    }

    private static String cut(String text, int most) {
        return text.length() > most ? text.substring(0, most) : text;
    }

    private void notes(String name, Map<String, String> notes) {
        json.writeObjectPropertyStart(name);
        int room = MOST_NOTES;
        for (Map.Entry<String, String> note : notes.entrySet()) {
            room -= note.getKey().length() + note.getValue().length();
            if (room >= 0) {
                json.writeName(encodable(shortened(note.getKey())));
                json.writeString(encodable(shortened(note.getValue())));
            }
        }
        json.writeEndObject();
    }

    /** Half a character, as a caller's label may have it, would be refused by the generator. */
    private static String encodable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private void strings(String name, Collection<String> values) {
        json.writeArrayPropertyStart(name);
        values.stream().limit(MOST_TEXTS).forEach(value -> json.writeString(encodable(shortened(value))));
        if (values.size() > MOST_TEXTS) {
            json.writeString("and " + (values.size() - MOST_TEXTS) + " more");
        }
        json.writeEndArray();
    }
}
