package dev.cordon.tool;

import dev.cordon.job.Isolation;
import dev.cordon.job.limit.Limit;
import dev.cordon.policy.RateLimit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool as it is written down; {@link Tool#of} checks it.
 *
 * @param name        what it is called: small letters, digits, hyphens and underscores
 * @param description what it does
 * @param argv        the program and its arguments; {@code {name}} is a parameter, {@code {name...}} alone all items of a list
 * @param stdin       standard input, {@code {name}}; null for none
 * @param files       files of the workspace, by path; each is {@code {name}}
 * @param parameters  the JSON Schema of the parameters: an object's
 * @param limits      its own limits, in base units
 * @param isolation   the level that it asks for; null leaves it to the policy
 * @param rate        how often each owner may call it; null for no limit
 */
public record ToolSpec(
        String name,
        String description,
        List<String> argv,
        @Nullable String stdin,
        Map<String, String> files,
        String parameters,
        Map<Limit, Long> limits,
        @Nullable Isolation isolation,
        @Nullable RateLimit rate) {
    /** Copies the collections and checks the limits' range. */
    public ToolSpec {
        argv = List.copyOf(argv);
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
        limits.forEach(Limit::check);
        limits = Map.copyOf(limits);
    }
}
