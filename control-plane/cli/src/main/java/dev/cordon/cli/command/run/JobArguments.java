package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandWords;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.job.ContainmentRequest;
import dev.cordon.job.FieldError;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.Language;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.Stdin;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.Limit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns the arguments of {@code cordon run} into a job. What makes no sense as a command line is a usage error; a value that
 * makes no sense in a job is gathered with the others, and the job is invalid.
 */
public final class JobArguments {
    private final ParsedArguments arguments;
    private final StandardStreams stdio;
    private final List<FieldError> errors = new ArrayList<>();

    public JobArguments(ParsedArguments arguments, StandardStreams stdio) {
        this.arguments = arguments;
        this.stdio = stdio;
    }

    /** The job, not yet validated, without the values that could not be read. */
    Job job() throws UsageError {
        Job job = containment(input(surroundings(command())));
        for (String glob : arguments.values(RunOptions.ARTIFACT)) {
            job = job.artifact(glob);
        }
        return job;
    }

    /** Adds to a job what it may take and what it sees. */
    public <T extends ContainmentRequest<T>> T sandbox(T job) {
        return containment(surroundings(job));
    }

    private <T extends ContainmentRequest<T>> T surroundings(T given) {
        T job = environment(limits(given));
        job = mounts(job, RunOptions.READ_ONLY, false, 0);
        int next = arguments.values(RunOptions.READ_ONLY).size();
        job = mounts(job, RunOptions.READ_WRITE, true, next);
        return new DockerArguments(arguments, this)
                .applied(job, next + arguments.values(RunOptions.READ_WRITE).size());
    }

    /** The values that {@link #job} could not read. */
    public List<FieldError> errors() {
        return errors;
    }

    private Job command() throws UsageError {
        Optional<String> code = arguments.value(RunOptions.CODE);
        Optional<String> file = arguments.value(RunOptions.FILE);
        Optional<String> language = arguments.value(RunOptions.LANG);
        if (code.isEmpty() && file.isEmpty() && language.isEmpty()) {
            Optional<String> image = arguments.value(RunOptions.IMAGE);
            if (arguments.operands().isEmpty() && image.isPresent()) {
                return Job.ofImage(image.get());
            }
            if (arguments.operands().isEmpty()) {
                throw new UsageError("nothing to run; try: cordon run -- python3 -c 'print(6*7)'");
            }
            return Job.argv(arguments.operands());
        }
        if (!arguments.operands().isEmpty()) {
            throw new UsageError("code takes no arguments, but '"
                    + arguments.operands().getFirst() + "' follows; give code (--lang, -c, -f) or a command, not both");
        }
        if (code.isPresent() && file.isPresent()) {
            throw new UsageError("-c and -f both give the code; leave one out");
        }
        return file.isPresent() ? script(file.get(), language) : code(code, language);
    }

    private Job script(String file, Optional<String> language) {
        Path path = path("/file", file);
        if (language.isPresent()) {
            return Job.file(path, language(language.get()));
        }
        Optional<Language> told = Language.ofFileName(String.valueOf(path.getFileName()));
        if (told.isEmpty()) {
            error(
                    "/language",
                    file,
                    "has an extension that tells no language",
                    "add --lang python, node, bash or java");
        }
        return Job.file(path, told.orElse(Language.PYTHON));
    }

    private Job code(Optional<String> code, Optional<String> language) throws UsageError {
        if (language.isEmpty()) {
            throw new UsageError("-c needs --lang python, node, bash or java");
        }
        return Job.code(language(language.get()), code.isPresent() ? code.get() : codeFromInput());
    }

    private String codeFromInput() throws UsageError {
        if (stdio.inIsTerminal() || arguments.has(RunOptions.STDIN)) {
            throw new UsageError("--lang needs code: -c CODE, -f FILE, or a pipe to standard input");
        }
        try {
            return new String(stdio.in().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            error("/code", "standard input", "cannot be read: " + unreadable.getMessage(), "use -c or -f");
            return "-";
        }
    }

    /** Python stands in for a language that is not known, so that the other errors can be found, too. */
    private Language language(String text) {
        try {
            return Language.parse(text);
        } catch (IllegalArgumentException unknown) {
            error("/language", text, "is not a known language", "use python, node, bash or java");
            return Language.PYTHON;
        }
    }

    private <T extends ContainmentRequest<T>> T limits(T job) {
        T limited = job;
        for (Map.Entry<Limit, CommandOption> entry : RunOptions.limits().entrySet()) {
            Optional<String> amount = arguments.value(entry.getValue());
            if (amount.isPresent()) {
                limited = limited.limit(entry.getKey(), amount.get());
            }
        }
        return limited;
    }

    private <T extends ContainmentRequest<T>> T environment(T job) {
        T result = job;
        for (String variable : arguments.values(RunOptions.ENV)) {
            int equals = variable.indexOf('=');
            if (equals >= 0) {
                result = result.env(variable.substring(0, equals), variable.substring(equals + 1));
                continue;
            }
            String value = stdio.environment().get(variable);
            if (value == null) {
                error(
                        "/env/" + variable,
                        variable,
                        "is not set here, so there is no value to pass on",
                        "write -e NAME=VALUE");
            } else if (CommandWords.damaged(value)) {
                error(
                        "/env/" + variable,
                        value,
                        "has a value that is not text in this locale",
                        "set LC_ALL=C.UTF-8, or pass it in a file");
            } else {
                result = result.env(variable, value);
            }
        }
        return result;
    }

    private <T extends ContainmentRequest<T>> T mounts(T job, CommandOption option, boolean writable, int firstIndex) {
        T result = job;
        int index = firstIndex;
        for (String mount : arguments.values(option)) {
            result = mount(result, option, mount, writable, "/mounts/" + index++);
        }
        return result;
    }

    <T extends ContainmentRequest<T>> T mount(
            T job, CommandOption option, String mount, boolean writable, String pointer) {
        int colon = mount.lastIndexOf(":/");
        if (colon <= 0) {
            error(
                    pointer,
                    mount,
                    "is not SRC:DST with an absolute DST",
                    "write " + option.names().getFirst() + " ./data:/workspace/data");
            return job;
        }
        Path source = path(pointer + "/source", mount.substring(0, colon));
        String target = mount.substring(colon + 1);
        return writable ? job.readWrite(source, target) : job.readOnly(source, target);
    }

    private Job input(Job job) {
        Optional<String> file = arguments.has(DockerOptions.INTERACTIVE)
                ? arguments.value(RunOptions.STDIN).or(() -> Optional.of("-"))
                : arguments.value(RunOptions.STDIN);
        if (file.isEmpty()) {
            return job;
        }
        return file.get().equals("-") ? job.stdin(new Stdin.Stream(stdio.in())) : job.stdin(path("/stdin", file.get()));
    }

    private <T extends ContainmentRequest<T>> T containment(T job) {
        T result = job.strict(arguments.has(RunOptions.STRICT));
        String workdir = arguments.value(RunOptions.WORKDIR).orElse(null);
        result = workdir == null ? result : result.workdir(workdir);
        String image = arguments.value(RunOptions.IMAGE).orElse(null);
        result = image == null ? result : result.image(image);
        String profile = arguments.value(RunOptions.PROFILE).orElse(null);
        if (profile != null) {
            result = profile.indexOf('/') >= 0 ? result.profile(path("/profile", profile)) : result.profile(profile);
        }
        return provenance(isolation(result)
                .onViolation(
                        reaction(RunOptions.ON_VIOLATION, OnViolation.values(), "/on_violation", "use refuse or kill"))
                .onOutputLimit(reaction(
                        RunOptions.ON_OUTPUT, OnOutputLimit.values(), "/on_output_limit", "use truncate or kill")));
    }

    /** Whose the job is, and how far it can be trusted. */
    private <T extends ContainmentRequest<T>> T provenance(T job) {
        T result = job;
        Optional<String> owner = arguments.value(RunOptions.OWNER);
        if (owner.isPresent()) {
            result = result.owner(owner.get());
        }
        for (String label : arguments.values(RunOptions.LABEL)) {
            int equals = label.indexOf('=');
            if (equals <= 0) {
                error("/labels", label, "is not NAME=VALUE", "write --label agent=a1");
            } else {
                result = result.label(label.substring(0, equals), label.substring(equals + 1));
            }
        }
        Trust trust = word(
                RunOptions.TRUST,
                Trust.values(),
                "/trust",
                "is not a level of trust",
                "use trusted, standard or untrusted");
        return trust == null ? result : result.trust(trust);
    }

    private <T extends ContainmentRequest<T>> T isolation(T job) {
        T result = arguments.has(RunOptions.NO_ESCALATE) ? job.escalate(false) : job;
        Isolation least = level(RunOptions.ISOLATION, "/isolation");
        result = least == null ? result : result.isolation(least);
        Isolation most = level(RunOptions.MOST_ISOLATION, "/isolation/max");
        return most == null ? result : result.isolationAtMost(most);
    }

    private @Nullable Isolation level(CommandOption option, String pointer) {
        return word(option, Isolation.values(), pointer, "is not an isolation level", "use process, jail or vm");
    }

    /** The first is the default. */
    private <E extends Enum<E>> E reaction(CommandOption option, E[] words, String pointer, String remedy) {
        E word = word(option, words, pointer, "is not a known reaction", remedy);
        return word == null ? words[0] : word;
    }

    /** One of some words; null when the option is not given, or is none of them. */
    private <E extends Enum<E>> @Nullable E word(
            CommandOption option, E[] words, String pointer, String rule, String remedy) {
        Optional<String> text = arguments.value(option);
        for (E word : words) {
            if (text.isPresent() && word.name().toLowerCase(Locale.ROOT).equals(text.get())) {
                return word;
            }
        }
        if (text.isPresent()) {
            error(pointer, text.get(), rule, remedy);
        }
        return null;
    }

    Path path(String pointer, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException invalid) {
            error(
                    pointer,
                    text,
                    "is not a path: " + invalid.getReason(),
                    "name a file of this host; for names beyond ASCII set LC_ALL=C.UTF-8");
            return Path.of("/");
        }
    }

    void error(String pointer, String value, String rule, String remedy) {
        errors.add(new FieldError(pointer, value, rule, remedy));
    }
}
