package dev.cordon.cli;

import dev.cordon.cli.service.Exchange;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Follows the events of one job for what it takes: a service looks at a job only while somebody does. */
final class JobWatch {
    private final ServiceClient service;
    private final String job;
    private final Load load = new Load();

    private JobWatch(ServiceClient service, String job) {
        this.service = service;
        this.job = job;
    }

    /** Begins; ends with the job. */
    static Load of(ServiceClient service, String job) {
        JobWatch watch = new JobWatch(service, job);
        Thread.ofVirtual().name("cordon-watch").start(watch::follow);
        return watch.load;
    }

    private void follow() {
        try (Exchange events = service.open(
                "GET", "/v1/jobs/" + ServiceClient.quoted(job) + "/events", null, "application/x-ndjson")) {
            for (Optional<String> line = events.line(); line.isPresent(); line = events.line()) {
                if (!line.get().isBlank()) {
                    JsonNode event = ServiceClient.MAPPER.readTree(line.get());
                    if (event.path("event").asString("").equals("usage")) {
                        load.sampled(event.path("data"));
                    }
                }
            }
        } catch (ServiceLost | Refusal | JacksonException gone) {
            return; // whoever draws notices, too
        } finally {
            load.over();
        }
    }
}
