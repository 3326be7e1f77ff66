package dev.cordon.cli;

import java.io.IOException;
import java.util.List;

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

    /**
     * Does it.
     *
     * @return the exit code of the process
     * @throws UsageError when the arguments make no sense together
     * @throws IOException when standard output is gone
     */
    int run(Arguments arguments, Stdio stdio) throws UsageError, IOException;
}
