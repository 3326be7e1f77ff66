package dev.cordon.cli.command.run;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.job.Command;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Stdin;
import dev.cordon.json.JobRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The job of a command line as the body of {@code POST /v1/jobs}, and where its standard input comes from. Checked here by the same rules
 * as in this process, so that what is wrong is told in the same words.
 */
final class JobBody {
    private final ObjectNode body = ServiceClient.MAPPER.createObjectNode();
    private final List<FieldError> errors;
    private @Nullable Stdin stdin;

    /** Of a job whose arguments were read. */
    JobBody(JobArguments given, Job job) {
        errors = new ArrayList<>(given.errors());
        try {
            JobSpec checked = job.validate();
            JobRequest.write(body, checked);
            if (checked.command() instanceof Command.Script script) {
                script(script.file());
            }
            input(checked.io().stdin());
        } catch (InvalidJob e) {
            errors.addAll(e.errors());
        }
    }

    /** What is invalid; the body is for sending only when this is empty. */
    List<FieldError> errors() {
        return errors;
    }

    ObjectNode json() {
        return body;
    }

    /** What is fed to the job; null for nothing. The caller closes it. */
    @Nullable
    InputStream input() throws IOException {
        return switch (stdin) {
            case Stdin.Stream stream -> stream.stream();
            case Stdin.FromFile file -> Files.newInputStream(file.file());
            case null, default -> null;
        };
    }

    private void script(Path file) {
        if (!isFile("/file", file)) {
            return;
        }
        try {
            body.put("code", Files.readString(file));
        } catch (CharacterCodingException e) {
            error("/file", file, "is not UTF-8 text, which a service needs", "do it " + ServiceLost.INSTEAD);
        } catch (IOException e) {
            error("/file", file, "cannot be read: " + e.getMessage(), "name a file that you can read");
        }
    }

    private boolean isFile(String pointer, Path file) {
        if (Files.isRegularFile(file)) {
            return true;
        }
        if (Files.exists(file)) {
            error(pointer, file, "is not a regular file", "name a regular file");
        } else {
            error(pointer, file, "does not exist or may not be looked at", "name an existing file");
        }
        return false;
    }

    private void error(String pointer, Path file, String rule, String remedy) {
        errors.add(new FieldError(pointer, file.toString(), rule, remedy));
    }

    private void input(Stdin given) {
        boolean fed = given instanceof Stdin.Stream
                || (given instanceof Stdin.FromFile file && isFile("/stdin", file.file()));
        if (fed) {
            stdin = given;
            body.put("stdin_open", true);
        }
    }
}
