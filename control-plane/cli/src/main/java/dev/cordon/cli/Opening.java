package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import java.nio.file.Path;
import java.util.Optional;

/** Opens Cordon with the settings that the command line names. */
final class Opening {

    private Opening() {}

    /**
     * The caller closes it.
     *
     * @throws dev.cordon.config.InvalidConfig when the settings cannot stand
     */
    static Cordon of(Arguments arguments) {
        return Cordon.open(config(arguments));
    }

    /** For the jobs of a user: they are recorded unless the settings say otherwise, and what takes long before them is shown. */
    static Cordon recorded(Arguments arguments, Stdio stdio) {
        return Cordon.open(config(arguments).recorded(), new Preparation(stdio));
    }

    /** The settings themselves. */
    static Config config(Arguments arguments) {
        Optional<String> file = arguments.value(Option.CONFIG);
        return file.isPresent() ? Config.load(Path.of(file.get())) : Config.load();
    }
}
