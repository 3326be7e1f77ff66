package dev.cordon.audit.file;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Jobs and sandboxes whose start stands in the log and whose end does not, so far. Bounded: of very many the first are forgotten. */
public final class OpenJobs {
    private static final int MOST = 100_000;

    private final Set<String> open = new LinkedHashSet<>();

    public void see(ChainLinks links) {
        switch (links.kind()) {
            case "start" -> {
                open.add(links.job());
                if (open.size() > MOST) {
                    open.remove(open.iterator().next());
                }
            }
            case "end" -> open.remove(links.job());
            default -> {}
        }
    }

    /** Says how many there are. */
    public void note(List<String> notes) {
        if (!open.isEmpty()) {
            notes.add(open.size() + " with a start and no end, the last "
                    + open.stream().reduce("", (a, b) -> b) + ": they still run, or their process was killed");
        }
    }
}
