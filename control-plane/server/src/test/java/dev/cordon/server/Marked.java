package dev.cordon.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Processes of jobs that are told by a number that they sleep for. */
record Marked(String seconds) {
    /** A number that no other process sleeps for. */
    static Marked by(int kind) {
        return new Marked(kind + "0" + ProcessHandle.current().pid());
    }

    /** Those that are alive. */
    List<ProcessHandle> processes() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.filter(entry -> commandLine(entry).equals("sleep\0" + seconds + "\0"))
                    .flatMap(entry ->
                            ProcessHandle.of(Long.parseLong(entry.getFileName().toString())).stream())
                    .toList();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"));
        } catch (IOException | RuntimeException gone) {
            return "";
        }
    }
}
