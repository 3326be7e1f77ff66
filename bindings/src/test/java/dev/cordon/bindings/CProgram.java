package dev.cordon.bindings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles C that a test brings along, against the headers of this tree. */
public final class CProgram {
    private CProgram() {}

    /** The clone that is tested. */
    public static Path root() {
        return Path.of(System.getProperty("cordon.root", "..")).toAbsolutePath();
    }

    /** Compiles a source text; the flags come last. */
    public static Path compile(Path directory, String name, String source, String... flags) throws IOException {
        Path file = directory.resolve(name + ".c");
        Files.writeString(file, source);
        Path program = directory.resolve(name);
        List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-Wall", "-Werror"));
        command.add("-I" + root().resolve("native/include"));
        command.add("-I" + root().resolve("bindings/jextract"));
        command.addAll(List.of("-o", program.toString(), file.toString()));
        command.addAll(List.of(flags));
        run(command);
        return program;
    }

    /** Runs a command and returns its output. */
    public static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ":\n" + output);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return output;
    }
}
