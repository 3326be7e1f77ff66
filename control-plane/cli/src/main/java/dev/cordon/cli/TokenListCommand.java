package dev.cordon.cli;

import dev.cordon.server.ServiceCommands;
import java.io.IOException;
import java.util.List;

/** {@code cordon token ls}: the tokens, without their secrets. */
final class TokenListCommand implements Command {

    @Override
    public String name() {
        return "ls";
    }

    @Override
    public List<String> description() {
        return List.of("List the tokens, the oldest first. With --json one object a line.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.JSON, ServeCommand.STATE, Option.CONFIG);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        try {
            String list = ServiceCommands.listTokens(
                    arguments.value(Option.CONFIG).orElse(null),
                    arguments.value(ServeCommand.STATE).orElse(null),
                    arguments.has(Option.JSON));
            stdio.print(list);
            return 0;
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }
}
