package dev.cordon.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the commands of a sandbox have that say nothing else: what its image asks for.
 *
 * @param environment variables, in their order
 * @param workdir     the working directory; empty for the workspace
 */
public record CommandDefaults(Map<String, String> environment, String workdir) {
    /** Nothing is asked for. */
    public static final CommandDefaults NONE = new CommandDefaults(Map.of(), "");

    /** Copies the map, keeping its order. */
    public CommandDefaults {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }
}
