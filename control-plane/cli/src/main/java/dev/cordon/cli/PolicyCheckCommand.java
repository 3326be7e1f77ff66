package dev.cordon.cli;

import dev.cordon.config.policy.InvalidPolicy;
import dev.cordon.config.policy.PolicyFile;
import dev.cordon.policy.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code cordon policy check}: whether a policy can stand. */
final class PolicyCheckCommand implements Command {

    private static final int INVALID = 1;

    @Override
    public String name() {
        return "check";
    }

    @Override
    public List<String> description() {
        return List.of("Read a policy and tell everything that is wrong with it. Ends with 1 when something is.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.COLOR);
    }

    @Override
    public String operands() {
        return "FILE";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        if (arguments.operands().size() != 1) {
            throw new UsageError("name one file, such as: cordon policy check /etc/cordon/policy.toml");
        }
        Path file = Path.of(arguments.operands().getFirst());
        try {
            Policy policy = PolicyFile.read(file);
            stdio.print(TerminalText.visible(file + ": " + policy.rules().size() + " rules, "
                            + policy.quotas().size() + " quotas, "
                            + policy.ceilings().size() + " ceilings: fine")
                    + "\n");
            return 0;
        } catch (InvalidPolicy e) {
            e.errors().forEach(stdio::message);
            return INVALID;
        }
    }
}
