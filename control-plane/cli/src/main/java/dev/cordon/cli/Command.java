package dev.cordon.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** One command of {@code cordon}: a table of options and what is done with them. */
interface Command {

    String name();

    /** One sentence for the list of commands, then the rest of its help. */
    List<String> description();

    List<Option> options();

    /** What the operands are called in the help; empty when there are none. */
    String operands();

    /** Lines below the options: examples, exit codes. */
    default List<String> footer() {
        return List.of();
    }

    /** The same done by a service; empty for what is always done in this process. */
    default Optional<RemoteCommand> remote() {
        return Optional.empty();
    }

    /**
     * Does it.
     *
     * @return the exit code of the process
     * @throws UsageError when the arguments make no sense together
     * @throws IOException when standard output is gone
     */
    int run(Arguments arguments, Stdio stdio) throws UsageError, IOException;
}
