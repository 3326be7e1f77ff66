package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** {@code cordon audit}: what happened to the jobs of this user. */
final class AuditGroup implements CommandGroup {

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String description() {
        return "Read and check the log of what was decided and what happened.";
    }

    @Override
    public List<String> names() {
        return List.of("tail", "show", "verify", "export", "keygen");
    }

    @Override
    public Optional<Command> named(String name) {
        return switch (name) {
            case "tail" -> Optional.of(new AuditTailCommand());
            case "show" -> Optional.of(new AuditShowCommand());
            case "verify" -> Optional.of(new AuditVerifyCommand());
            case "export" -> Optional.of(new AuditExportCommand());
            case "keygen" -> Optional.of(new AuditKeygenCommand());
            default -> Optional.empty();
        };
    }
}
