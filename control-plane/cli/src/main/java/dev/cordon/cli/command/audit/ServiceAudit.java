package dev.cordon.cli.command.audit;

import dev.cordon.audit.verify.AuditReader.Visitor;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.audit.verify.VerificationJson;
import dev.cordon.cli.client.HttpExchange;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceOpening;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The log of a service, as its lines stand there. Read from its stream: a page would be written anew, and each begins to read the log
 * from its first file.
 */
record ServiceAudit(ServiceClient service, ParsedArguments arguments, StandardStreams stdio) implements AuditGateway {
    private static final String LOG = "/v1/admin/audit";
    private static final String DATA = "data:";
    private static final long LOOK_MILLIS = 500;

    @Override
    public void read(Filter filter, Visitor visitor) throws CommandFailure, IOException {
        try {
            read(0, query(filter), visitor);
        } catch (ServiceRefusal e) {
            tellAbsent(e);
        }
    }

    @Override
    public List<AuditRecord> about(String wanted) throws CommandFailure, IOException {
        List<AuditRecord> found = new ArrayList<>();
        try {
            about(wanted, found);
        } catch (ServiceRefusal e) {
            tellAbsent(e);
        }
        return found;
    }

    /** A number is a record's place; anything else is what records are about, or what administrators acted on. */
    private void about(String wanted, List<AuditRecord> found) throws IOException, ServiceLost, ServiceRefusal {
        if (wanted.matches("[1-9][0-9]{0,17}")) {
            long sequence = Long.parseLong(wanted);
            read(sequence - 1, "", record -> {
                if (record.sequence() == sequence) {
                    found.add(record);
                }
                return false;
            });
            return;
        }
        read(0, condition("job", wanted), found::add);
        read(0, condition("kind", "admin"), record -> {
            if (record.text("object").equals(wanted) && !record.text("job").equals(wanted)) {
                found.add(record);
            }
            return true;
        });
        found.sort(Comparator.comparingLong(AuditRecord::sequence));
    }

    @Override
    public void tail(int count, Filter filter, boolean follow, Visitor visitor) throws CommandFailure, IOException {
        boolean told = false;
        while (true) {
            try {
                long seen = last(count, query(filter), visitor);
                if (follow) {
                    follow(seen, query(filter), visitor);
                    throw new ServiceLost("the service at " + service.where() + " ended");
                }
                return;
            } catch (ServiceRefusal e) {
                if (told) {
                    absent(e);
                } else {
                    tellAbsent(e);
                    told = true;
                }
                if (!follow) {
                    return;
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }

    /** Visits that many records at the end of the log, and returns the sequence number of the last one; 0 where there is none. */
    private long last(int count, String query, Visitor visitor) throws IOException, ServiceLost, ServiceRefusal {
        long last = 0;
        for (JsonNode record :
                service.get(LOG + "?last=" + Math.max(1, count) + query).path("data")) {
            if (count > 0) {
                boolean _ = visitor.visit(record(record.toString()));
            }
            last = Math.max(last, record.path("sequence").asLong(0));
        }
        return last;
    }

    @Override
    public Verified verify(List<LogVerifier.Anchor> heads) throws CommandFailure {
        for (CommandOption option : AuditVerifyCommand.HERE) {
            ServiceOpening.refuse(arguments, option, "whoever vouches for a log does not leave that to its writer");
        }
        StringBuilder target = new StringBuilder(LOG + "/verification");
        for (LogVerifier.Anchor anchor : heads) {
            target.append(target.indexOf("?") < 0 ? "?" : "&");
            target.append("head=" + anchor.sequence() + ":" + anchor.hash());
        }
        try {
            String text = service.text("GET", target.toString(), null);
            return new Verified(VerificationJson.read(ServiceClient.MAPPER.readTree(text)), text, null);
        } catch (ServiceRefusal e) {
            absent(e);
            return Verified.missing(Path.of(""), e.detail());
        }
    }

    /**
     * Visits what there is now.
     *
     * @param after the sequence number of the record before the first; 0 for all
     * @param query what the records have in common, such as {@code &owner=ci}
     */
    private void read(long after, String query, Visitor visitor) throws IOException, ServiceLost, ServiceRefusal {
        long last = last(0, query, visitor);
        if (last <= after) {
            return;
        }
        boolean[] whole = {false};
        follow(after, query, record -> {
            whole[0] = !visitor.visit(record) || record.sequence() >= last;
            return !whole[0];
        });
        if (!whole[0]) {
            throw new ServiceLost("the service at " + service.where() + " broke off before record " + last);
        }
    }

    /** Visits what there is, and what comes, until the visitor or the service ends it. */
    private void follow(long after, String query, Visitor visitor) throws IOException, ServiceLost, ServiceRefusal {
        try (HttpExchange events = service.open("GET", LOG + "?cursor=" + after + query, null, "text/event-stream")) {
            for (Optional<String> line = events.line(); line.isPresent(); line = events.line()) {
                if (line.get().startsWith(DATA)
                        && !visitor.visit(
                                record(line.get().substring(DATA.length()).strip()))) {
                    return;
                }
            }
        }
    }

    private static AuditRecord record(String line) {
        return new AuditRecord(Path.of("service"), 0, line);
    }

    /** That there is no log yet is not a failure; anything else is. */
    private void tellAbsent(ServiceRefusal refusal) throws ServiceRefusal {
        absent(refusal);
        stdio.message(refusal.detail());
    }

    private static void absent(ServiceRefusal refusal) throws ServiceRefusal {
        if (!refusal.is("state_conflict")) {
            throw refusal;
        }
    }

    private static String query(Filter filter) {
        return condition("owner", filter.owner()) + condition("kind", filter.kind());
    }

    private static String condition(String name, @Nullable String value) {
        return value == null ? "" : "&" + name + "=" + ServiceClient.quoted(value);
    }
}
