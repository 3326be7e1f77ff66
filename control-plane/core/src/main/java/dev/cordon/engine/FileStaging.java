package dev.cordon.engine;

import dev.cordon.api.Outcome;
import dev.cordon.bindings.Errno;
import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.wire.FileOp;
import dev.cordon.bindings.wire.FileRequest;
import dev.cordon.plan.StagedFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** Writes a job's files into its sandbox before the command starts, through descriptors that init hands out. */
final class FileStaging {
    private static final int PIECE = 64 * 1024;

    private FileStaging() {}

    static void stage(List<StagedFile> files, OpenSandbox sandbox) throws SandboxException {
        for (StagedFile file : files) {
            try {
                makeParents(file, sandbox);
                write(file, sandbox);
            } catch (ErrnoException e) {
                throw failed(file, e.errnoName(), e.call());
            } catch (IOException e) {
                throw failed(file, "", String.valueOf(e.getMessage()));
            } catch (CompletionException e) {
                if (e.getCause() instanceof TimeoutException) {
                    throw failed(file, "", "init did not answer in time");
                }
                return; // the sandbox itself failed: its own report is the result
            }
        }
    }

    private static void write(StagedFile file, OpenSandbox sandbox) throws IOException {
        FileRequest request = new FileRequest(FileOp.WRITE, file.path(), file.mode());
        FileAnswer answer = ask(sandbox, request);
        try (FileEnd into = sandbox.content(Objects.requireNonNull(answer.fd(), "init gave no descriptor"));
                InputStream content = open(file)) {
            copy(content, into);
        }
        int error = sandbox.written(answer.id()).join();
        if (error != 0) {
            throw new ErrnoException("write " + request.path(), error);
        }
    }

    private static void makeParents(StagedFile file, OpenSandbox sandbox) throws ErrnoException {
        String parent = file.path().substring(0, file.path().lastIndexOf('/'));
        if (parent.lastIndexOf('/') > 0) {
            ask(sandbox, new FileRequest(FileOp.MKDIR, parent, 0755));
        }
    }

    private static FileAnswer ask(OpenSandbox sandbox, FileRequest request) throws ErrnoException {
        FileAnswer answer = sandbox.request(request).join();
        int error = answer.filed().error();
        if (error != 0) {
            throw new ErrnoException(request.op() + " " + request.path(), error);
        }
        return answer;
    }

    private static InputStream open(StagedFile file) throws IOException {
        return switch (file) {
            case StagedFile.Inline inline ->
                new ByteArrayInputStream(inline.file().content());
            case StagedFile.HostCopy copy -> Files.newInputStream(copy.source());
        };
    }

    private static void copy(InputStream content, FileEnd into) throws IOException {
        byte[] bytes = new byte[PIECE];
        ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
        for (int count = content.read(bytes); count >= 0; count = content.read(bytes)) {
            buffer.clear().put(bytes, 0, count).flip();
            into.write(buffer);
        }
    }

    private static SandboxException failed(StagedFile file, String error, String detail) {
        String remedy = error.equals(Errno.name(Errno.ENOSPC))
                ? "raise the job's disk limit, or bring less"
                : "check the file's path and size";
        return new SandboxException(new Outcome.SetupFailed("files", error, file.path() + ": " + detail, remedy));
    }
}
