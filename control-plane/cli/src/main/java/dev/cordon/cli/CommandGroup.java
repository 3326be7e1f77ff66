package dev.cordon.cli;

import java.util.List;
import java.util.Optional;

/** Commands below one word, such as {@code cordon audit verify}. One of them is created when it is named. */
interface CommandGroup {

    String name();

    /** One sentence for the list of commands. */
    String description();

    /** The names of its commands, in the order of the help. */
    List<String> names();

    /** The command of this name. */
    Optional<Command> named(String name);
}
