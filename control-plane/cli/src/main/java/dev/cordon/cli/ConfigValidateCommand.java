package dev.cordon.cli;

import dev.cordon.config.Config;
import dev.cordon.config.InvalidConfig;
import dev.cordon.config.policy.InvalidPolicy;
import dev.cordon.config.policy.PolicyFile;
import dev.cordon.config.policy.ToolFile;
import dev.cordon.server.ServiceCommands;
import dev.cordon.tool.InvalidTool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code cordon config validate}: whether everything that the operator wrote can stand. */
final class ConfigValidateCommand implements Command {

    private static final int INVALID = 1;

    @Override
    public String name() {
        return "validate";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Check the settings, the service's included, and the policy and tools that they name.",
                "",
                "Without a file: those that hold for this user, from the usual places and the environment.",
                "Every error is told, and nothing is changed. Ends with 1 when there is one.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.COLOR);
    }

    @Override
    public String operands() {
        return "[FILE]";
    }

    @Override
    public List<String> footer() {
        return List.of("", "Example: cordon config validate && systemctl restart cordon");
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        if (arguments.operands().size() > 1) {
            throw new UsageError("name one file or none, such as: cordon config validate /etc/cordon/config.toml");
        }
        List<String> errors = new ArrayList<>();
        try {
            Config config = arguments.operands().isEmpty()
                    ? Config.load()
                    : Config.load(Path.of(arguments.operands().getFirst()));
            errors.addAll(ServiceCommands.settingsErrors(config));
            named(config, errors);
            if (errors.isEmpty()) {
                stdio.print(config.settings().size() + " settings: fine\n");
            }
        } catch (InvalidConfig e) {
            errors.addAll(e.errors());
        }
        errors.forEach(stdio::message);
        return errors.isEmpty() ? 0 : INVALID;
    }

    private static void named(Config config, List<String> errors) {
        try {
            Path policy = config.policyFile();
            if (policy != null) {
                PolicyFile.read(policy);
            }
        } catch (InvalidPolicy e) {
            errors.addAll(e.errors());
        }
        try {
            ToolFile.readAll(config.tools());
        } catch (InvalidTool e) {
            errors.addAll(e.errors());
        }
    }
}
