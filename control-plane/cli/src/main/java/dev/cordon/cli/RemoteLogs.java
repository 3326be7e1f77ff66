package dev.cordon.cli;

import dev.cordon.cli.service.Exchange;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.util.Optional;

/** {@code cordon logs}. */
final class RemoteLogs implements RemoteCommand {
    private static final int NOT_THERE = 1;

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        if (arguments.operands().size() != 1) {
            throw new UsageError("name one job; cordon ps --jobs lists them");
        }
        String id = arguments.operands().getFirst();
        String job = "/v1/jobs/" + ServiceClient.quoted(id);
        boolean follow = arguments.has(LogsCommand.FOLLOW);
        Relay relay = new Relay(stdio, arguments.has(RunOptions.RAW));
        try {
            if (arguments.has(LogsCommand.JSON)) {
                events(job, follow, stdio, service);
            } else {
                new RemoteJob(service, relay, true).replay(job, follow);
            }
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

    private static void events(String job, boolean follow, Stdio stdio, ServiceClient service)
            throws IOException, ServiceLost, Refusal {
        try (Exchange events = service.open("GET", job + "/events?follow=" + follow, null, "application/x-ndjson")) {
            for (Optional<String> line = events.line(); line.isPresent(); line = events.line()) {
                if (!line.get().isBlank()) {
                    stdio.print((stdio.outIsTerminal() ? TerminalText.json(line.get()) : line.get()) + "\n");
                }
            }
        }
    }
}
