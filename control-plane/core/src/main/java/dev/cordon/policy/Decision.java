package dev.cordon.policy;

import dev.cordon.api.Isolation;
import java.util.List;

/** The policy's answer to a job; it always carries its reasons. */
public sealed interface Decision {
    /** Why, in the order in which it was found; never empty. */
    List<String> reasons();

    /**
     * The job may run.
     *
     * @param isolation at this level
     * @param reasons   why at this one
     */
    record Allowed(Isolation isolation, List<String> reasons) implements Decision {
        /** Copies the reasons and checks that there are some. */
        public Allowed {
            reasons = present(reasons);
        }
    }

    /**
     * The job may not run.
     *
     * @param reasons why not
     */
    record Denied(List<String> reasons) implements Decision {
        /** Copies the reasons and checks that there are some. */
        public Denied {
            reasons = present(reasons);
        }
    }

    private static List<String> present(List<String> reasons) {
        if (reasons.isEmpty()) {
            throw new IllegalArgumentException("a decision carries its reasons");
        }
        return List.copyOf(reasons);
    }
}
