package dev.cordon.bench;

import java.io.IOException;
import java.util.List;

/**
 * A program of the host, started by ProcessBuilder and waited for.
 *
 * @param name    what the report calls it
 * @param command the command line
 */
record ProgramContender(String name, List<String> command) implements Contender {
    ProgramContender {
        command = List.copyOf(command);
    }

    @Override
    public void run() throws IOException, InterruptedException {
        int status = new ProcessBuilder(command).start().waitFor();
        if (status != 0) {
            throw new IOException(command.getFirst() + " ended with " + status);
        }
    }
}
