package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.client.HttpExchange;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;

/** What a job or a sandbox takes, from its last two samples. Written by whoever follows it, read by whoever draws. */
final class JobLoad {
    private static final double PERCENT = 100;

    private final CountDownLatch known = new CountDownLatch(1);
    private JsonNode before = ServiceClient.MAPPER.createObjectNode();
    private JsonNode last = ServiceClient.MAPPER.createObjectNode();

    /** Follows the events of a job until it ends: a service looks at a job only while somebody does. */
    static JobLoad of(ServiceClient service, String job) {
        JobLoad load = new JobLoad();
        Thread.ofVirtual().name("cordon-watch").start(() -> load.follow(service, job));
        return load;
    }

    private void follow(ServiceClient service, String job) {
        try (HttpExchange events = service.open(
                "GET", "/v1/jobs/" + ServiceClient.quoted(job) + "/events", null, "application/x-ndjson")) {
            for (JsonNode event = events.event(); event != null; event = events.event()) {
                if (event.path("event").asString("").equals("usage")) {
                    sampled(event.path("data"));
                }
            }
        } catch (ServiceLost | ServiceRefusal gone) {
            return; // whoever draws notices, too
        } finally {
            known.countDown();
        }
    }

    synchronized void sampled(JsonNode sample) {
        before = last;
        last = sample;
        known.countDown();
    }

    /** Open as long as a first sample may come. */
    CountDownLatch known() {
        return known;
    }

    /** Of one CPU, between the last two samples; since its start where there is only one. */
    synchronized String cpu() {
        long used = last.path("cpu_ms").asLong(0) - before.path("cpu_ms").asLong(0);
        long passed = last.path("wall_ms").asLong(0) - before.path("wall_ms").asLong(0);
        return last.path("cpu_ms").isNumber() && passed > 0
                ? String.format(Locale.ROOT, "%.0f %%", PERCENT * used / passed)
                : "-";
    }

    synchronized String memory() {
        JsonNode bytes = last.path("memory_bytes");
        return bytes.isNumber() ? PsCommand.size(bytes.asLong()) : "-";
    }

    synchronized String pids() {
        return last.path("pids").asString("-");
    }

    /** The last sample as the service told it. */
    synchronized JsonNode sample() {
        return last;
    }
}
