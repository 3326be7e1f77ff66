package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;

/** {@code cordon logs}. */
final class RemoteLogs implements RemoteCommand {
    private static final int NOT_THERE = 1;

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        if (arguments.operands().size() != 1) {
            throw new UsageError("name one job; its id is in the answer that started it");
        }
        String id = arguments.operands().getFirst();
        Relay relay = new Relay(stdio, arguments.has(RunOptions.RAW));
        try {
            new RemoteJob(service, relay, true)
                    .replay("/v1/jobs/" + ServiceClient.quoted(id), arguments.has(LogsCommand.FOLLOW));
        } catch (Refusal e) {
            if (!e.code().equals("job_not_found")) {
                throw e;
            }
            stdio.message(e.detail());
            return NOT_THERE;
        }
        relay.finish();
        return 0;
    }
}
