package dev.cordon.cli;

import dev.cordon.audit.AuditRecord;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** {@code cordon audit tail} of a service's log. */
final class RemoteAuditTail implements RemoteCommand {
    private static final long LOOK_MILLIS = 500;
    private static final int PAGE = 100;

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        int count = AuditTailCommand.count(arguments);
        String owner = RemoteAudit.condition(arguments, AuditTailCommand.OWNER, "owner");
        long seen = page("last=" + count + owner, 0, arguments, stdio, service);
        while (arguments.has(AuditTailCommand.FOLLOW)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
            seen = page("limit=" + PAGE + "&cursor=" + seen + owner, seen, arguments, stdio, service);
        }
        return 0;
    }

    private static long page(String query, long seen, Arguments arguments, Stdio stdio, ServiceClient service)
            throws IOException, ServiceLost, Refusal {
        JsonNode page;
        try {
            page = service.get("/v1/admin/audit?" + query);
        } catch (Refusal e) {
            if (!RemoteAudit.absent(e)) {
                throw e;
            }
            stdio.message(e.detail()); // there is no log yet, which is no failure
            return seen;
        }
        long last = seen;
        for (JsonNode record : page.path("data")) {
            AuditText.print(new AuditRecord(Path.of("service"), 0, record.toString()), arguments, stdio);
            last = Math.max(last, record.path("sequence").asLong(0));
        }
        return last;
    }
}
