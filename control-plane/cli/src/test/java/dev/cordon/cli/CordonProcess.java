package dev.cordon.cli;

import dev.cordon.fixture.JavaProcess;

/** The command line as a process of its own, started from the class path of the tests. */
final class CordonProcess {

    private CordonProcess() {}

    static ProcessBuilder of(String... words) {
        return new ProcessBuilder(JavaProcess.line(Main.class, words));
    }
}
