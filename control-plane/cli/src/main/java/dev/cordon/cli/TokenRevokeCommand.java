package dev.cordon.cli;

import dev.cordon.server.ServiceCommands;
import java.util.List;

/** {@code cordon token revoke}: ends a token. */
final class TokenRevokeCommand implements Command {

    @Override
    public String name() {
        return "revoke";
    }

    @Override
    public List<String> description() {
        return List.of("End a token by its id, which cordon token ls shows. It is refused from the next request on.");
    }

    @Override
    public List<Option> options() {
        return List.of(ServeCommand.STATE, Option.CONFIG);
    }

    @Override
    public String operands() {
        return "ID";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError {
        if (arguments.operands().size() != 1) {
            throw new UsageError("name one token, hint: cordon token ls");
        }
        try {
            String id = arguments.operands().getFirst();
            boolean ended = ServiceCommands.revokeToken(
                    arguments.value(Option.CONFIG).orElse(null),
                    arguments.value(ServeCommand.STATE).orElse(null),
                    id);
            if (!ended) {
                stdio.message("there is no token of the id " + id + ", hint: cordon token ls");
            }
            return ended ? 0 : 1;
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }
}
