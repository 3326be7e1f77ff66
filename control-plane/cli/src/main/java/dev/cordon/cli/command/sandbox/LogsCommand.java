package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.client.HttpExchange;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.command.run.RunOptions;
import dev.cordon.cli.command.run.ServiceJob;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.OutputRelay;
import dev.cordon.cli.terminal.StandardStreams;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** {@code cordon logs}: the output of a job that a service runs or remembers. */
public final class LogsCommand {
    private static final CommandOption FOLLOW = CommandOption.flag(
                    "-f", "Go on with what comes, until the job is over.")
            .or("--follow");
    private static final CommandOption JSON =
            CommandOption.flag("--json", "Print its events instead, one JSON object a line, as the API does.");

    private LogsCommand() {}

    public static CommandSpec spec() {
        return new CommandSpec("logs", "JOB", LogsCommand::run, List.of(FOLLOW, RunOptions.RAW, JSON), """
            Print the output of a job of a service.

            Of one that runs, what there is now; its standard error goes to standard error. Jobs of cordon run
            without a service print while they run, and nothing of them is kept.\
            """, """

                Which service: CORDON_HOST=unix:/path, http://127.0.0.1:PORT or https://HOST:PORT, with
                CORDON_TOKEN or CORDON_TOKEN_FILE, and CORDON_CA_FILE where its authority is your own; without it, \
                the socket in the usual place.

                Example: cordon logs -f job_01J...\
                """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        ServiceClient service = ServiceChoice.service(arguments, stdio, "keeps what jobs print");
        String id = arguments.operand("name one job; cordon ps --jobs lists them");
        String job = "/v1/jobs/" + ServiceClient.quoted(id);
        boolean follow = arguments.has(FOLLOW);
        OutputRelay relay = new OutputRelay(stdio, arguments.has(RunOptions.RAW));
        try {
            if (arguments.has(JSON)) {
                events(job, follow, stdio, service);
            } else {
                ServiceJob.replay(service, job, follow, relay);
            }
        } catch (ServiceRefusal e) {
            throw JobReport.absent(e);
        }
        relay.finish();
        return 0;
    }

    private static void events(String job, boolean follow, StandardStreams stdio, ServiceClient service)
            throws IOException, ServiceLost, ServiceRefusal {
        try (HttpExchange events =
                service.open("GET", job + "/events?follow=" + follow, null, "application/x-ndjson")) {
            for (Optional<String> line = events.line(); line.isPresent(); line = events.line()) {
                if (!line.get().isBlank()) {
                    stdio.printJson(line.get());
                }
            }
        }
    }
}
