package dev.cordon.cli.command.service;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.server.ServiceCommands;
import java.util.List;

/** {@code cordon serve}: the library over HTTP. The service is a module of its own, which no other command loads. */
public final class ServeCommand {
    private static final CommandOption SOCKET = CommandOption.value(
            "--socket",
            "PATH",
            "Listen on this unix socket; without --listen the default is cordon.sock in the run directory.");
    private static final CommandOption LISTEN = CommandOption.value(
            "--listen", "HOST:PORT", "Listen on this address; every request needs a token. Not loopback: TLS only.");

    private ServeCommand() {}

    public static CommandSpec spec() {
        List<CommandOption> options = List.of(SOCKET, LISTEN, CommandOption.STATE, CommandOption.CONFIG);
        return new CommandSpec("serve", "", ServeCommand::run, options, """
            Serve jobs over HTTP until SIGTERM or SIGINT.

            On the unix socket root, the service's own user and the members of the group cordon need
            no token. On TCP every request needs one (cordon token create). An address beyond loopback
            is refused without a TLS key store in the configuration. The log goes to standard error,
            as JSON with CORDON_LOG=json.

            Exit codes: 0 or 143 when it was told to end, 78 when its settings are refused, 125 when it
            cannot start for another reason.\
            """, """

                Example: cordon serve --listen 127.0.0.1:8080 &
                         curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
                              -d '{"language":"python","code":"print(6*7)"}' http://127.0.0.1:8080/v1/jobs\
                """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) {
        return ServiceCommands.serve(
                arguments.value(CommandOption.CONFIG).orElse(null),
                arguments.value(SOCKET).orElse(null),
                arguments.value(LISTEN).orElse(null),
                arguments.value(CommandOption.STATE).orElse(null),
                stdio::message);
    }
}
