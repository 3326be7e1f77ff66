package dev.cordon.cli;

import dev.cordon.api.DurationFormat;
import dev.cordon.server.ServiceCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code cordon token create}: prints a new token, once. */
final class TokenCreateCommand implements Command {

    private static final Option OWNER = Option.value("--owner", "NAME", "Whose jobs it sees. Default: local.");
    private static final Option ROLE =
            Option.value("--role", "ROLE", "How far it goes: read, submit or admin. Default: submit.");
    private static final Option NOTE = Option.value("--note", "TEXT", "What it is for.");
    private static final Option EXPIRES = Option.value("--expires", "TIME", "Ends it after this time, such as 30d.");

    @Override
    public String name() {
        return "create";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Make a token and print it. It is shown once: the service keeps its hash.",
                "",
                "Run it as the user that the service runs as. A running service knows the token at once.");
    }

    @Override
    public List<Option> options() {
        return List.of(OWNER, ROLE, NOTE, EXPIRES, ServeCommand.STATE, Option.CONFIG);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        try {
            Optional<Duration> expires = arguments.value(EXPIRES).map(DurationFormat::parse);
            stdio.print(ServiceCommands.createToken(
                            arguments.value(Option.CONFIG).orElse(null),
                            arguments.value(ServeCommand.STATE).orElse(null),
                            arguments.value(OWNER).orElse("local"),
                            arguments.value(ROLE).orElse("submit"),
                            arguments.value(NOTE).orElse(""),
                            expires.orElse(null))
                    + "\n");
            return 0;
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }
}
