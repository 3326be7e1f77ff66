package dev.cordon.bench;

import dev.cordon.json.JsonMembers;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A report as the one JSON object that {@code cordon bench --json} answers with. What was not measured is null. */
public final class BenchReportJson {
    private BenchReportJson() {}

    /** The object, on one line. */
    public static String of(BenchReport report) {
        return JsonMembers.text(json -> json.objects("rows", report.rows(), row -> write(json, row))
                .objects("starts", report.starts(), start -> write(json, start))
                .strings("missing", report.missing())
                .object("machine", () -> write(json, report.machine())));
    }

    /** Rows alone, and beside them seconds that were measured for them, on one line. */
    public static String of(List<BenchRow> rows, Map<String, Double> seconds) {
        return JsonMembers.text(json -> {
            json.objects("rows", rows, row -> write(json, row));
            seconds.forEach((name, value) -> number(json, name, OptionalDouble.of(value)));
        });
    }

    /** The growth of idle sandboxes, on one line. */
    public static String of(List<GrowthStep> steps) {
        return JsonMembers.text(json -> json.objects("growth", steps, step -> write(json, step)));
    }

    private static void write(JsonMembers json, GrowthStep step) {
        json.put("sandboxes", step.sandboxes());
        number(json, "open_ms", OptionalDouble.of(step.openMillis()));
        number(json, "process_kib", step.processKib());
        number(json, "host_kib", OptionalDouble.of(step.hostKib()));
        number(json, "start_ms", OptionalDouble.of(step.startMillis()));
        number(json, "command_ms", OptionalDouble.of(step.commandMillis()));
        number(json, "sweep_ms", OptionalDouble.of(step.sweepMillis()));
    }

    private static void write(JsonMembers json, BenchRow row) {
        json.put("name", row.name());
        number(json, "value", row.value());
        json.put("unit", row.unit());
        number(json, "baseline", row.baseline());
        number(json, "ratio", row.ratio());
        json.json().writeNumberProperty("bar", row.bar().value());
        json.put("met", row.met());
        json.put("bar_is", row.bar().sense() == PromisedBar.Sense.AT_MOST ? "at_most" : "at_least");
        json.put("bar_of", row.bar().ratio() ? "ratio" : "value");
        json.put("compared_with", row.baselineName());
        json.put("note", row.note());
    }

    private static void write(JsonMembers json, StartTimings start) {
        json.put("name", start.contender());
        json.put("parallel", start.parallel());
        json.put("samples", start.latency().count());
        number(json, "median_ms", OptionalDouble.of(start.latency().median()));
        number(json, "p95_ms", OptionalDouble.of(start.latency().quantile(0.95)));
        number(json, "p99_ms", OptionalDouble.of(start.latency().quantile(0.99)));
        number(json, "jobs_per_second", OptionalDouble.of(start.jobsPerSecond()));
    }

    private static void write(JsonMembers json, MeasuredHost machine) {
        json.put("cpus", machine.cpus());
        json.put("kernel", machine.kernel());
        json.put("java", machine.java());
        number(json, "load_before", OptionalDouble.of(machine.loadBefore()));
        number(json, "load_after", OptionalDouble.of(machine.loadAfter()));
        number(json, "seconds", OptionalDouble.of(machine.seconds()));
    }

    /** To four digits behind the point: more were not measured. */
    private static void number(JsonMembers json, String name, OptionalDouble value) {
        if (value.isEmpty() || !Double.isFinite(value.getAsDouble())) {
            json.put(name, (String) null);
        } else {
            json.json().writeNumberProperty(name, Math.round(value.getAsDouble() * 10_000) / 10_000.0);
        }
    }
}
