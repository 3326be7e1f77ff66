package dev.cordon.json;

import dev.cordon.result.UsageSample;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a job or a sandbox takes at one moment, as events and metrics tell it. */
public final class UsageSampleJson {
    private UsageSampleJson() {}

    /** Adds the members, and returns the object. */
    public static ObjectNode write(ObjectNode data, UsageSample sample) {
        return data.put("wall_ms", sample.at().toMillis())
                .put("cpu_ms", sample.cpu() == null ? null : (Long) sample.cpu().toMillis())
                .put("memory_bytes", ResultJson.bytes(sample.memory()))
                .put("pids", sample.pids());
    }

    public static UsageSample read(JsonNode data) {
        Long cpu = ResultJson.number(data.path("cpu_ms"));
        return new UsageSample(
                Duration.ofMillis(data.path("wall_ms").asLong(0)),
                ResultJson.size(data.path("memory_bytes")),
                cpu == null ? null : Duration.ofMillis(cpu),
                ResultJson.number(data.path("pids")));
    }
}
