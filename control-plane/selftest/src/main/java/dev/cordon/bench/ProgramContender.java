package dev.cordon.bench;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * A program of the host, started by ProcessBuilder and waited for.
 *
 * @param name    what the report calls it
 * @param command the command line of the next run
 */
record ProgramContender(String name, Supplier<List<String>> command) implements BenchContender {
    /** With one command line for all runs. */
    ProgramContender(String name, List<String> command) {
        this(name, () -> command);
    }

    @Override
    public void run() throws IOException, InterruptedException {
        List<String> words = command.get();
        int status = new ProcessBuilder(words).start().waitFor();
        if (status != 0) {
            throw new IOException(words.getFirst() + " ended with " + status);
        }
    }
}
