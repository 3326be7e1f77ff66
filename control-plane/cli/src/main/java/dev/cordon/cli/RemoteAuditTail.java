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

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        int count = AuditTailCommand.count(arguments);
        String owner = RemoteAudit.condition(arguments, AuditTailCommand.OWNER, "owner");
        boolean follow = arguments.has(AuditTailCommand.FOLLOW);
        boolean told = false;
        while (true) {
            try {
                long seen = last(count, owner, arguments, stdio, service);
                if (follow) {
                    follow(seen, owner, arguments, stdio, service);
                }
                return 0;
            } catch (Refusal e) {
                if (!RemoteAudit.absent(e)) {
                    throw e;
                }
                if (!told) {
                    stdio.message(e.detail()); // there is no log yet, which is no failure
                    told = true;
                }
                if (!follow) {
                    return 0;
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }

    private static long last(int count, String owner, Arguments arguments, Stdio stdio, ServiceClient service)
            throws IOException, ServiceLost, Refusal {
        long last = 0;
        for (JsonNode record : service.get("/v1/admin/audit?last=" + Math.max(1, count) + owner)
                .path("data")) {
            if (count > 0) {
                AuditText.print(new AuditRecord(Path.of("service"), 0, record.toString()), arguments, stdio);
            }
            last = Math.max(last, record.path("sequence").asLong(0));
        }
        return last;
    }

    private static void follow(long seen, String owner, Arguments arguments, Stdio stdio, ServiceClient service)
            throws IOException, ServiceLost, Refusal {
        new RemoteAudit(service).follow(seen, owner, record -> {
            AuditText.print(record, arguments, stdio);
            return true;
        });
        throw new ServiceLost("the service at " + service.where() + " ended");
    }
}
