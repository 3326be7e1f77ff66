package dev.cordon.server.body;

import dev.cordon.job.FieldError;
import java.util.LinkedHashMap;
import java.util.Map;

/** The notes that a client puts on what it hands in. Those that begin with {@code cordon/} are the service's own. */
public final class RequestLabels {
    /** Who handed a job in, where that is another than its owner. */
    public static final String SUBMITTED_BY = "cordon/submitted_by";

    private static final String OWN = "cordon/";
    /** What the job of a tool's call has; policies and searches take it for that. */
    private static final String TOOL = "tool";

    private RequestLabels() {}

    public static Map<String, String> read(RequestFields fields) {
        Map<String, String> labels = new LinkedHashMap<>(fields.textMap("labels"));
        for (String name : labels.keySet()) {
            if (name.startsWith(OWN)) {
                fields.error(
                        "labels/" + FieldError.escaped(name),
                        name,
                        "begins with " + OWN + ", which is the service's own",
                        "take another name");
            }
            if (name.equals(TOOL)) {
                fields.error(
                        "labels/" + TOOL,
                        name,
                        "is what calls of registered tools have",
                        "take another name, or call the tool with POST /v1/tools/{name}");
            }
        }
        return labels;
    }
}
