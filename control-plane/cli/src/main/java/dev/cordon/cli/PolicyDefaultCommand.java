package dev.cordon.cli;

import dev.cordon.config.policy.PolicyFile;
import java.io.IOException;
import java.util.List;

/** {@code cordon policy default}: the policy that ships, to begin one's own with. */
final class PolicyDefaultCommand implements Command {

    @Override
    public String name() {
        return "default";
    }

    @Override
    public List<String> description() {
        return List.of("Print the policy that ships, with explanations: the beginning of your own.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.COLOR);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws IOException {
        stdio.print(PolicyFile.standardText());
        return 0;
    }
}
