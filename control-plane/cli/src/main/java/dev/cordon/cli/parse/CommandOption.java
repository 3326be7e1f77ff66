package dev.cordon.cli.parse;

import java.util.List;

/**
 * One option of a command. Both parsers and the help are made from it. Nothing that a plain job needs compares two of them: a record's
 * generated methods cost milliseconds at their first use.
 *
 * @param names       as typed, the shortest first: {@code -e}, {@code --env}
 * @param label       what its value is called in the help; empty for a switch, which has none
 * @param repeatable  whether it may be given several times
 * @param description for the help
 */
public record CommandOption(List<String> names, String label, boolean repeatable, String description) {

    public static final CommandOption JSON = flag("--json", "Print one JSON object on standard output.");
    public static final CommandOption COLOR =
            value("--color", "WHEN", "Colour in messages: auto, always or never. NO_COLOR turns auto off.");

    public static final CommandOption CONFIG =
            value("--config", "FILE", "Settings from this file instead of the usual ones (CORDON_CONFIG).");

    public static final CommandOption STATE =
            value("--state", "DIR", "Jobs and tokens are kept here instead of the usual state directory.");

    public static final CommandOption DIRECTORY =
            value("--dir", "DIR", "Another log than that of the settings, such as a copy; read by this process.");

    public static final CommandOption LOCAL =
            flag("--local", "Do it in this process, also where a service is there (CORDON_HOST=none).");

    public static CommandOption flag(String name, String description) {
        return new CommandOption(List.of(name), "", false, description);
    }

    public static CommandOption value(String name, String label, String description) {
        return new CommandOption(List.of(name), label, false, description);
    }

    public static CommandOption list(String name, String label, String description) {
        return new CommandOption(List.of(name), label, true, description);
    }

    /** This option under a second name as well. */
    public CommandOption or(String name) {
        return new CommandOption(List.of(names.getFirst(), name), label, repeatable, description);
    }

    public boolean isFlag() {
        return label.isEmpty();
    }
}
