package dev.cordon.tool;

import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.limit.Limit;
import dev.cordon.policy.RateLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command that the operator gave a name: its arguments with places for parameters, a schema of those, and limits of its own. A
 * parameter becomes a whole argument, a part of one, a file or the standard input. No shell and no second reading comes between: what is
 * put in stays what it is.
 *
 * <p>A value that could be taken for an option is refused: one that begins with {@code -} where the template lets the value begin the
 * argument, unless an argument {@code --} stands before it.
 */
public final class Tool {
    private final ToolSpec spec;
    private final ParameterSchema schema;
    private final List<ArgumentTemplate> argv;
    private final Map<String, ArgumentTemplate> files;
    private final @Nullable ArgumentTemplate stdin;

    Tool(
            ToolSpec spec,
            ParameterSchema schema,
            List<ArgumentTemplate> argv,
            Map<String, ArgumentTemplate> files,
            @Nullable ArgumentTemplate stdin) {
        this.spec = spec;
        this.schema = schema;
        this.argv = List.copyOf(argv);
        this.files = new LinkedHashMap<>(files);
        this.stdin = stdin;
    }

    /**
     * Registers one.
     *
     * @throws InvalidTool with all errors
     */
    public static Tool of(ToolSpec spec) {
        return new ToolCheck(spec).check();
    }

    @Override
    public String toString() {
        return "Tool[" + name() + ": " + String.join(" ", argv()) + "]";
    }

    /** What it is called. */
    public String name() {
        return spec.name();
    }

    /** What it does, for people and for models. */
    public String description() {
        return spec.description();
    }

    /** The schema of its parameters, as JSON. */
    public String parameters() {
        return spec.parameters();
    }

    /** Its arguments, with places for parameters. */
    public List<String> argv() {
        return spec.argv();
    }

    /** How often each owner may call it; null for no limit. */
    public @Nullable RateLimit rate() {
        return spec.rate();
    }

    /** The level that it asks for; null leaves it to the policy. */
    public @Nullable Isolation isolation() {
        return spec.isolation();
    }

    /** Its own limits, in base units. */
    public Map<Limit, Long> limits() {
        return spec.limits();
    }

    /** The names of its parameters. */
    public Set<String> names() {
        return Set.copyOf(schema.properties.keySet());
    }

    /**
     * Texts as a caller types them, as the JSON of a call: what the schema has as a number, a truth value or a list is read as JSON,
     * anything else is taken as it stands.
     */
    public String typed(Map<String, String> texts) {
        return ParameterValues.typed(texts, schema);
    }

    /**
     * The job of a call.
     *
     * @param parameters a JSON object
     * @throws InvalidJob with all errors, each with the parameter's name
     */
    public Job job(String parameters) {
        ParameterValues values = ParameterValues.read(parameters, schema);
        List<String> words = new ArrayList<>();
        boolean optionsOver = false;
        for (ArgumentTemplate element : argv) {
            optionsOver |= element.is("--");
            values.element(element, optionsOver, words);
        }
        Map<String, byte[]> contents = new LinkedHashMap<>();
        files.forEach((path, template) -> values.content(template).ifPresent(bytes -> contents.put(path, bytes)));
        values.complain();
        Job job = Job.argv(words).label("tool", name());
        for (Map.Entry<String, byte[]> file : contents.entrySet()) {
            job = job.put(file.getKey(), file.getValue());
        }
        byte[] input = stdin == null ? null : values.content(stdin).orElse(null);
        job = input == null ? job : job.stdin(input);
        for (Map.Entry<Limit, Long> limit : spec.limits().entrySet()) {
            job = job.limit(limit.getKey(), limit.getKey().show(limit.getValue()));
        }
        return spec.isolation() == null ? job : job.isolation(spec.isolation());
    }
}
