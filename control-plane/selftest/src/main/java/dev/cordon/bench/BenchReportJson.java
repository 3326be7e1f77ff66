package dev.cordon.bench;

import dev.cordon.json.JsonText;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.core.JsonGenerator;

/** A report as the one JSON object that {@code cordon bench --json} answers with. What was not measured is null. */
public final class BenchReportJson {
    private BenchReportJson() {}

    /** The object, on one line. */
    public static String of(BenchReport report) {
        return JsonText.object(json -> {
            json.writeName("rows");
            json.writeStartArray();
            report.rows().forEach(row -> write(json, row));
            json.writeEndArray();
            json.writeName("starts");
            json.writeStartArray();
            report.starts().forEach(start -> write(json, start));
            json.writeEndArray();
            json.writeName("missing");
            json.writeStartArray();
            report.missing().forEach(json::writeString);
            json.writeEndArray();
            json.writeName("machine");
            write(json, report.machine());
        });
    }

    /** Rows alone, and beside them seconds that were measured for them, on one line. */
    public static String of(List<BenchRow> rows, Map<String, Double> seconds) {
        return JsonText.object(json -> {
            json.writeName("rows");
            json.writeStartArray();
            rows.forEach(row -> write(json, row));
            json.writeEndArray();
            seconds.forEach((name, value) -> number(json, name, OptionalDouble.of(value)));
        });
    }

    /** The growth of idle sandboxes, on one line. */
    public static String of(List<GrowthStep> steps) {
        return JsonText.object(json -> {
            json.writeName("growth");
            json.writeStartArray();
            steps.forEach(step -> write(json, step));
            json.writeEndArray();
        });
    }

    private static void write(JsonGenerator json, GrowthStep step) {
        json.writeStartObject();
        json.writeNumberProperty("sandboxes", step.sandboxes());
        number(json, "open_ms", OptionalDouble.of(step.openMillis()));
        number(json, "process_kib", step.processKib());
        number(json, "host_kib", OptionalDouble.of(step.hostKib()));
        number(json, "start_ms", OptionalDouble.of(step.startMillis()));
        number(json, "command_ms", OptionalDouble.of(step.commandMillis()));
        number(json, "sweep_ms", OptionalDouble.of(step.sweepMillis()));
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, BenchRow row) {
        json.writeStartObject();
        json.writeStringProperty("name", row.name());
        number(json, "value", row.value());
        json.writeStringProperty("unit", row.unit());
        number(json, "baseline", row.baseline());
        number(json, "ratio", row.ratio());
        json.writeNumberProperty("bar", row.bar().value());
        json.writeBooleanProperty("met", row.met());
        json.writeStringProperty("bar_is", row.bar().sense() == PromisedBar.Sense.AT_MOST ? "at_most" : "at_least");
        json.writeStringProperty("bar_of", row.bar().ratio() ? "ratio" : "value");
        json.writeStringProperty("compared_with", row.baselineName());
        json.writeStringProperty("note", row.note());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, StartTimings start) {
        json.writeStartObject();
        json.writeStringProperty("name", start.contender());
        json.writeNumberProperty("parallel", start.parallel());
        json.writeNumberProperty("samples", start.latency().count());
        number(json, "median_ms", OptionalDouble.of(start.latency().median()));
        number(json, "p95_ms", OptionalDouble.of(start.latency().quantile(0.95)));
        number(json, "p99_ms", OptionalDouble.of(start.latency().quantile(0.99)));
        number(json, "jobs_per_second", OptionalDouble.of(start.jobsPerSecond()));
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, MeasuredHost machine) {
        json.writeStartObject();
        json.writeNumberProperty("cpus", machine.cpus());
        json.writeStringProperty("kernel", machine.kernel());
        json.writeStringProperty("java", machine.java());
        number(json, "load_before", OptionalDouble.of(machine.loadBefore()));
        number(json, "load_after", OptionalDouble.of(machine.loadAfter()));
        number(json, "seconds", OptionalDouble.of(machine.seconds()));
        json.writeEndObject();
    }

    /** To four digits behind the point: more were not measured. */
    private static void number(JsonGenerator json, String name, OptionalDouble value) {
        json.writeName(name);
        if (value.isEmpty() || !Double.isFinite(value.getAsDouble())) {
            json.writeNull();
        } else {
            json.writeNumber(Math.round(value.getAsDouble() * 10_000) / 10_000.0);
        }
    }
}
