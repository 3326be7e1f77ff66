package dev.cordon.interpreter;

import dev.cordon.job.Job;
import dev.cordon.job.Language;
import dev.cordon.job.Stdin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The program that drives one language's interpreter. The command line holds a few words that read the program from standard input, so
 * that no file of it lies in the sandbox.
 *
 * @param language the language
 * @param folder   where its files are among the resources
 * @param command  how it is started; the loader's text follows
 * @param loader   the file of the loader
 * @param files    the program, in this order
 * @param remedy   what to do where the interpreter is missing
 */
record DriverSource(
        Language language, String folder, List<String> command, String loader, List<String> files, String remedy) {
    private static final DriverSource PYTHON = new DriverSource(
            Language.PYTHON,
            "python/",
            List.of("python3", "-c"),
            "loader.py",
            List.of("wire.py", "display.py", "worker.py", "keeper.py"),
            "install it on the host (apt-get install python3), or name an image that has it");
    private static final DriverSource NODE = new DriverSource(
            Language.NODE,
            "node/",
            List.of("node", "-e"),
            "loader.js",
            List.of("wire.js", "worker.js", "keeper.js"),
            "install it on the host (apt-get install nodejs), or name an image that has it");

    /**
     * The driver of a language.
     *
     * @throws IllegalArgumentException when the language has none
     */
    static DriverSource of(Language language) {
        return switch (language) {
            case PYTHON -> PYTHON;
            case NODE -> NODE;
            case BASH, JAVA ->
                throw new IllegalArgumentException("there is no interpreter that keeps its state for "
                        + language.label() + "; use python or node, or run commands in the sandbox");
        };
    }

    /** The command that reads the program. */
    Job job() {
        List<String> argv = new ArrayList<>(command);
        argv.add(new String(read(loader), StandardCharsets.UTF_8));
        return Job.argv(argv)
                .stdin(Stdin.fed())
                .streaming()
                // matplotlib: no window, and its cache of fonts beside the user's files.
                .env("MPLBACKEND", "Agg")
                .env("MPLCONFIGDIR", "/tmp/.matplotlib");
    }

    /** The program. */
    byte[] program() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String file : files) {
            all.writeBytes(read(file));
            all.write('\n');
        }
        return all.toByteArray();
    }

    private byte[] read(String file) {
        String name = folder + file;
        try (InputStream resource = DriverSource.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("the resource " + name + " is missing; build Cordon again");
            }
            return resource.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
