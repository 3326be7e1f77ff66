package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code cordon kill} of a service's sandboxes and jobs. */
final class RemoteKill implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        KillCommand.check(arguments);
        List<String> told = new ArrayList<>();
        for (String part : arguments.operands()) {
            if (part.startsWith("job_")) {
                String job = service.text("DELETE", "/v1/jobs/" + ServiceClient.quoted(part), null);
                told.add(stdio.outIsTerminal() ? TerminalText.json(job) : job);
                continue;
            }
            String id = new RemoteBoxes(service).named(part);
            try {
                var _ = service.text("DELETE", RemoteBoxes.target(id), null);
            } catch (Refusal e) {
                if (!e.code().equals("sandbox_expired")) { // it ended by itself meanwhile
                    throw e;
                }
            }
            told.add(KillCommand.json(id, "ended"));
        }
        KillCommand.print(told, arguments, stdio);
        return 0;
    }
}
