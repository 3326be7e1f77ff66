package dev.cordon.cli;

import dev.cordon.config.ConfigSchema;
import java.io.IOException;
import java.util.List;

/** {@code cordon config schema}: the JSON Schema of the configuration file. */
final class ConfigSchemaCommand implements Command {

    @Override
    public String name() {
        return "schema";
    }

    @Override
    public List<String> description() {
        return List.of("Print the JSON Schema of the configuration file, for editors and for checks.");
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        stdio.print(ConfigSchema.text(ReferencePages.tables()));
        return 0;
    }
}
