package dev.cordon.cli.parse;

import dev.cordon.Cordon;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.StepLine;
import dev.cordon.config.Config;
import java.nio.file.Path;
import java.util.Optional;

/** Opens Cordon with the settings that the command line names. */
public final class CordonOpening {

    private CordonOpening() {}

    /**
     * The caller closes it.
     *
     * @throws dev.cordon.config.InvalidConfig when the settings are invalid
     */
    public static Cordon of(ParsedArguments arguments) {
        return Cordon.open(config(arguments));
    }

    /** For the jobs of a user: they are recorded unless the settings say otherwise, and what takes long before them is shown. */
    public static Cordon recorded(ParsedArguments arguments, StandardStreams stdio) {
        return Cordon.open(config(arguments).recorded(), new StepLine(stdio));
    }

    /** The settings themselves. */
    public static Config config(ParsedArguments arguments) {
        Optional<String> file = arguments.value(CommandOption.CONFIG);
        return file.isPresent() ? Config.load(Path.of(file.get())) : Config.load();
    }
}
