package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.server.ServiceCommands;
import java.util.List;
import java.util.Optional;

/** {@code cordon token revoke}: ends a token. */
final class TokenRevokeCommand implements Command, RemoteCommand {

    private static final Option CANCEL =
            Option.flag("--cancel-jobs", "Cancel the jobs of the token's owner, too; a service does that.");
    private static final int NOT_THERE = 1;

    @Override
    public String name() {
        return "revoke";
    }

    @Override
    public List<String> description() {
        return List.of(
                "End a token by its id, which cordon token ls shows.",
                "",
                "It is refused from the next request on, and the streams and terminals that it has open end: at once",
                "where the service revokes it, within a second where this command takes it out of the service's",
                "state. Jobs that were submitted with it go on, unless --cancel-jobs is given.");
    }

    @Override
    public List<Option> options() {
        return List.of(CANCEL, Option.STATE, Option.CONFIG, Option.LOCAL);
    }

    @Override
    public String operands() {
        return "ID";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(this);
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError {
        String id = id(arguments);
        if (arguments.has(CANCEL)) {
            throw new UsageError("--cancel-jobs: only the service can, and none was found; name it with CORDON_HOST, or"
                    + " revoke the token without it and restart the service");
        }
        try {
            boolean ended = ServiceCommands.revokeToken(
                    arguments.value(Option.CONFIG).orElse(null),
                    arguments.value(Option.STATE).orElse(null),
                    id);
            return ended ? 0 : absent(id, stdio);
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service) throws UsageError, ServiceLost, Refusal {
        String id = id(arguments);
        try {
            String jobs = arguments.has(CANCEL) ? "?cancel_jobs=true" : "";
            var _ = service.text("DELETE", "/v1/admin/tokens/" + ServiceClient.quoted(id) + jobs, null);
            return 0;
        } catch (Refusal e) {
            if (e.code().equals("token_not_found")) {
                return absent(id, stdio);
            }
            throw e;
        }
    }

    private static String id(Arguments arguments) throws UsageError {
        if (arguments.operands().size() != 1 || arguments.operands().getFirst().isEmpty()) {
            throw new UsageError("name one token, hint: cordon token ls");
        }
        return arguments.operands().getFirst();
    }

    private static int absent(String id, Stdio stdio) {
        stdio.message("there is no token of the id " + id + ", hint: cordon token ls");
        return NOT_THERE;
    }
}
