package dev.cordon.engine;

import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.plan.StagedFile;
import dev.cordon.result.Outcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** Writes a job's files into its sandbox before the command starts. */
public final class FileStaging {
    private FileStaging() {}

    public static void stage(List<StagedFile> files, OpenSandbox sandbox) throws SandboxException {
        FileAccess access = sandbox.files();
        for (StagedFile file : files) {
            try (InputStream content = open(file)) {
                access.put(file.path(), file.mode(), content);
            } catch (ErrnoException e) {
                throw failed(file, e.errnoName(), e.call());
            } catch (IOException e) {
                if (e.getCause() instanceof CompletionException lost
                        && !(lost.getCause() instanceof TimeoutException)) {
                    return; // the sandbox itself failed: its own report is the result
                }
                throw failed(file, "", String.valueOf(e.getMessage()));
            }
        }
    }

    private static InputStream open(StagedFile file) throws IOException {
        return switch (file) {
            case StagedFile.Inline inline ->
                new ByteArrayInputStream(inline.file().content());
            case StagedFile.HostCopy copy -> Files.newInputStream(copy.source());
        };
    }

    private static SandboxException failed(StagedFile file, String error, String detail) {
        String remedy = switch (error) {
            case "ENOSPC" -> "raise the job's disk limit, or bring less";
            case "ENOMEM" -> "raise the job's memory limit, which its files count against, or bring less";
            default -> "check the file's path and size";
        };
        return new SandboxException(new Outcome.SetupFailed("files", error, file.path() + ": " + detail, remedy));
    }
}
