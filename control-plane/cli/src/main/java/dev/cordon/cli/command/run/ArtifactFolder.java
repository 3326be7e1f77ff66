package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.result.Artifact;
import dev.cordon.result.OutputListener;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes the files that were collected from a job below a directory of the caller. Nothing that is there is replaced. */
final class ArtifactFolder implements OutputListener {
    private final Path folder;
    private final StandardStreams stdio;
    private final OutputListener listener;
    private boolean failed;

    /** Passes on to this listener whatever is not a file. */
    ArtifactFolder(ParsedArguments arguments, StandardStreams stdio, OutputListener listener) {
        this.folder = Path.of(arguments.value(RunOptions.ARTIFACTS_TO).orElse("."));
        this.stdio = stdio;
        this.listener = listener;
    }

    @Override
    public void output(Source source, byte[] bytes) {
        listener.output(source, bytes);
    }

    @Override
    public void escalated(String reason) {
        listener.escalated(reason);
    }

    /** The job chose the name: it stays below the folder, or is refused. */
    @Override
    public void artifact(Artifact artifact, byte[] content) {
        String path = artifact.path();
        Path root = folder.toAbsolutePath().normalize();
        try {
            Path file = root.resolve(path).normalize();
            Path parent = file.getParent();
            if (parent == null || !parent.startsWith(root)) {
                throw new IOException("it leads out of the folder");
            }
            Files.createDirectories(parent);
            Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            failed(path, e.getFile() + " is there already; give another --artifacts-to");
        } catch (IOException | RuntimeException e) {
            failed(path, e.toString());
        }
    }

    private void failed(String path, String why) {
        failed = true;
        stdio.message("artifact " + path + " was not written: " + why);
    }

    /** The exit code: a job that went well has not when its files are missing. */
    int code(int code) {
        return failed && code == 0 ? CommandFailure.FAILED : code;
    }
}
