package dev.cordon.tool;

import dev.cordon.job.Trust;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a caller asks of a tool.
 *
 * @param tool       the tool's name
 * @param parameters a JSON object
 * @param owner      on whose behalf
 * @param labels     the caller's own notes; {@code tool} is added
 * @param trust      how far the caller vouches for the parameters
 */
public record ToolCall(String tool, String parameters, String owner, Map<String, String> labels, Trust trust) {
    /** Copies the labels, keeping their order. */
    public ToolCall {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** A call of this process's own. */
    public ToolCall(String tool, String parameters) {
        this(tool, parameters, "local", Map.of(), Trust.STANDARD);
    }
}
