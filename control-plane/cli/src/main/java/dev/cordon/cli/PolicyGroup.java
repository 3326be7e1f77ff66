package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** {@code cordon policy}: who may run what, and why. */
final class PolicyGroup implements CommandGroup {

    @Override
    public String name() {
        return "policy";
    }

    @Override
    public String description() {
        return "Check the operator's rules, and ask what they say to a job.";
    }

    @Override
    public List<String> names() {
        return List.of("check", "explain", "default");
    }

    @Override
    public Optional<Command> named(String name) {
        return switch (name) {
            case "check" -> Optional.of(new PolicyCheckCommand());
            case "explain" -> Optional.of(new PolicyExplainCommand());
            case "default" -> Optional.of(new PolicyDefaultCommand());
            default -> Optional.empty();
        };
    }
}
