package dev.cordon.cli;

import dev.cordon.audit.AuditRecord;
import dev.cordon.cli.service.Exchange;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The log of a service, as its lines stand there. Read from its stream: a page would be written anew, and each begins to read the log
 * from its first file.
 */
record RemoteAudit(ServiceClient service) {
    private static final String LOG = "/v1/admin/audit";
    private static final String DATA = "data:";

    /** Told each record; ends the reading by answering false. */
    @FunctionalInterface
    interface Visitor {
        boolean visit(AuditRecord record) throws IOException;
    }

    /**
     * Visits what there is now.
     *
     * @param after the sequence number of the record before the first; 0 for all
     * @param query what the records have in common, such as {@code &owner=ci}
     */
    void read(long after, String query, Visitor visitor) throws IOException, ServiceLost, Refusal {
        long last = 0;
        for (JsonNode record : service.get(LOG + "?last=1" + query).path("data")) {
            last = record.path("sequence").asLong(0);
        }
        if (last <= after) {
            return;
        }
        long end = last;
        boolean[] whole = {false};
        follow(after, query, record -> {
            whole[0] = record.sequence() >= end;
            boolean more = visitor.visit(record);
            whole[0] |= !more;
            return !whole[0];
        });
        if (!whole[0]) {
            throw new ServiceLost("the service at " + service.where() + " broke off before record " + last);
        }
    }

    /** Visits what there is, and what comes, until the visitor or the service ends it. */
    void follow(long after, String query, Visitor visitor) throws IOException, ServiceLost, Refusal {
        try (Exchange events = service.open("GET", LOG + "?cursor=" + after + query, null, "text/event-stream")) {
            for (Optional<String> line = events.line(); line.isPresent(); line = events.line()) {
                if (line.get().startsWith(DATA)) {
                    AuditRecord record = new AuditRecord(
                            Path.of("service"),
                            0,
                            line.get().substring(DATA.length()).strip());
                    if (!visitor.visit(record)) {
                        return;
                    }
                }
            }
        }
    }

    /** Whether a refusal means that there is no log yet, which its words tell. */
    static boolean absent(Refusal refusal) {
        return refusal.code().equals("state_conflict");
    }

    /** A condition of {@link #read}; none where the option is not there. */
    static String condition(Arguments arguments, Option option, String name) {
        return arguments
                .value(option)
                .map(value -> "&" + name + "=" + ServiceClient.quoted(value))
                .orElse("");
    }
}
