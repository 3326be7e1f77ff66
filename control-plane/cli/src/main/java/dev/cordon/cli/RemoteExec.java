package dev.cordon.cli;

import dev.cordon.api.Result;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.host.HostTerminal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** {@code cordon exec} in a service's sandbox. */
final class RemoteExec implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        List<String> command = ExecCommand.command(arguments);
        Optional<HostTerminal> terminal = ExecCommand.terminal(arguments);
        String target = RemoteBoxes.target(
                        new RemoteBoxes(service).named(arguments.operands().getFirst()))
                + "/jobs";
        ObjectNode body = ServiceClient.MAPPER.createObjectNode();
        var words = body.putArray("argv");
        command.forEach(words::add);
        try (Interruption interruption = new Interruption()) {
            if (terminal.isPresent()) {
                return new RemoteTerminal(service, stdio, terminal.get()).run(target, body, interruption);
            }
            boolean json = arguments.has(Option.JSON);
            body.put("stdin_open", arguments.has(ExecCommand.INPUT));
            Relay relay = new Relay(stdio, arguments.has(RunOptions.RAW));
            Result result = new RemoteJob(service, relay, !json)
                    .run(target, body, arguments.has(ExecCommand.INPUT) ? stdio.in() : null, interruption);
            relay.finish();
            if (json) {
                RunCommand.printJson(result, stdio);
            } else {
                Epilogue.of(result).forEach(stdio::message);
            }
            return result.outcome().exitCode();
        }
    }
}
