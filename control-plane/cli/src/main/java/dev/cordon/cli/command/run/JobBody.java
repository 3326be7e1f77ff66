package dev.cordon.cli.command.run;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.parse.Arguments;
import dev.cordon.cli.parse.Option;
import dev.cordon.job.Command;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Stdin;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.LimitNames;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The job of a command line as the body of {@code POST /v1/jobs}, and where its standard input comes from. Checked here by the same rules
 * as in this process, so that what is wrong is told in the same words.
 */
public final class JobBody {
    private static final int NANOS = 1_000_000;
    private static final int CPU_SCALE = 6;

    private final Arguments arguments;
    private final ObjectNode body = ServiceClient.MAPPER.createObjectNode();
    private final List<FieldError> errors;
    private @Nullable Stdin stdin;

    private JobBody(Arguments arguments, List<FieldError> errors) {
        this.arguments = arguments;
        this.errors = new ArrayList<>(errors);
    }

    /** Of a job whose arguments were read. */
    static JobBody of(Arguments arguments, JobArguments given, Job job) {
        JobBody written = new JobBody(arguments, given.errors());
        try {
            written.write(job.validate());
        } catch (InvalidJob e) {
            written.errors.addAll(e.errors());
        }
        return written;
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

    private void write(JobSpec job) {
        switch (job.command()) {
            case Command.Argv argv -> {
                var words = body.putArray("argv");
                argv.argv().forEach(words::add);
            }
            case Command.Code code ->
                body.put("language", code.language().label()).put("code", code.code());
            case Command.Script script -> script(script);
        }
        ObjectNode limits = limits(arguments, RunOptions.limits());
        if (!limits.isEmpty()) {
            body.set("limits", limits);
        }
        if (!job.environment().isEmpty()) {
            ObjectNode variables = body.putObject("env");
            job.environment().forEach(variables::put);
        }
        if (!job.labels().isEmpty()) {
            ObjectNode labels = body.putObject("labels");
            job.labels().forEach(labels::put);
        }
        if (!job.artifacts().isEmpty()) {
            var globs = body.putArray("artifacts");
            job.artifacts().forEach(globs::add);
        }
        input(job.stdin());
        containment(job);
    }

    private void script(Command.Script script) {
        Path file = script.file();
        if (!isFile("/file", file)) {
            return;
        }
        try {
            body.put("language", script.language().label());
            body.put(
                    "code",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                            .toString());
            body.put("file_name", String.valueOf(file.getFileName()));
        } catch (CharacterCodingException e) {
            errors.add(new FieldError(
                    "/file",
                    file.toString(),
                    "is no UTF-8 text, which a service needs",
                    "do it " + ServiceLost.INSTEAD));
        } catch (IOException e) {
            errors.add(new FieldError(
                    "/file", file.toString(), "cannot be read: " + e.getMessage(), "name a file that you can read"));
        }
    }

    private boolean isFile(String field, Path file) {
        if (Files.isRegularFile(file)) {
            return true;
        }
        errors.add(
                Files.exists(file)
                        ? new FieldError(field, file.toString(), "is no regular file", "name a regular file")
                        : new FieldError(
                                field,
                                file.toString(),
                                "does not exist or may not be looked at",
                                "name an existing file"));
        return false;
    }

    private void input(Stdin given) {
        boolean fed = given instanceof Stdin.Stream
                || (given instanceof Stdin.FromFile file && isFile("/stdin", file.file()));
        if (fed) {
            stdin = given;
            body.put("stdin_open", true);
        }
    }

    private void containment(JobSpec job) {
        if (arguments.has(RunOptions.WORKDIR)) {
            body.put("cwd", job.workdir());
        }
        isolation(job);
        if (job.image() != null) {
            body.put("image", job.image());
        }
        if (arguments.has(RunOptions.PROFILE) && job.profile() instanceof ProfileRef.Named profile) {
            body.put("profile", profile.name());
        }
        if (job.strict()) {
            body.put("strict", true);
        }
        if (job.onViolation() != OnViolation.REFUSE) {
            body.put("on_violation", job.onViolation().name().toLowerCase(Locale.ROOT));
        }
        if (job.onOutputLimit() != OnOutputLimit.TRUNCATE) {
            body.put("on_output_limit", job.onOutputLimit().name().toLowerCase(Locale.ROOT));
        }
        if (job.trust() != Trust.STANDARD) {
            body.put("trust", job.trust().label());
        }
    }

    private void isolation(JobSpec job) {
        ObjectNode bounds = ServiceClient.MAPPER.createObjectNode();
        if (job.isolation() != null) {
            bounds.put("min", job.isolation().label());
        }
        if (job.atMost() != null) {
            bounds.put("max", job.atMost().label());
        }
        if (!job.escalate()) {
            bounds.put("escalate", "never");
        }
        if (!bounds.isEmpty()) {
            body.set("isolation", bounds);
        }
    }

    /** The limits that the command line names, in the units of the API. */
    public static ObjectNode limits(Arguments arguments, Map<Limit, Option> options) {
        ObjectNode limits = ServiceClient.MAPPER.createObjectNode();
        options.forEach(
                (limit, option) -> arguments.value(option).ifPresent(text -> put(limits, limit, limit.parse(text))));
        return limits;
    }

    /** An amount as the core counts it: bytes, nanoseconds, millionths of a CPU, pieces. */
    public static void put(ObjectNode limits, Limit limit, long amount) {
        LimitNames.Named named = LimitNames.all().get(limit);
        if (named == null) {
            throw new IllegalArgumentException(limit + " has no name");
        }
        String exact = named.exact();
        if (limit == Limit.CPUS) {
            limits.put(named.name(), BigDecimal.valueOf(amount, CPU_SCALE));
        } else if (named.unit().equals("ms")) {
            limits.put(
                    named.name(),
                    BigDecimal.valueOf(amount)
                            .divide(BigDecimal.valueOf(NANOS), 0, RoundingMode.CEILING)
                            .longValueExact());
        } else {
            limits.put(exact == null ? named.name() : exact, amount);
        }
    }
}
