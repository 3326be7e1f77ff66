package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** {@code cordon token}: who may use the service over TCP. */
final class TokenGroup implements CommandGroup {

    @Override
    public String name() {
        return "token";
    }

    @Override
    public String description() {
        return "Make, list and end the tokens of the service.";
    }

    @Override
    public List<String> names() {
        return List.of("create", "ls", "revoke");
    }

    @Override
    public Optional<Command> named(String name) {
        return switch (name) {
            case "create" -> Optional.of(new TokenCreateCommand());
            case "ls" -> Optional.of(new TokenListCommand());
            case "revoke" -> Optional.of(new TokenRevokeCommand());
            default -> Optional.empty();
        };
    }
}
