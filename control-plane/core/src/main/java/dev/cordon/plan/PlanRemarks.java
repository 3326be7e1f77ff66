package dev.cordon.plan;

import java.util.List;

/**
 * What is told about a plan.
 *
 * @param reasons       why the job was allowed at this level
 * @param layersMissing layers that are known to be absent, such as {@code groups}; they go into the result
 * @param notes         choices that are not obvious from the data
 */
public record PlanRemarks(List<String> reasons, List<String> layersMissing, List<String> notes) {
    /** Copies the lists. */
    public PlanRemarks {
        reasons = List.copyOf(reasons);
        layersMissing = List.copyOf(layersMissing);
        notes = List.copyOf(notes);
    }
}
