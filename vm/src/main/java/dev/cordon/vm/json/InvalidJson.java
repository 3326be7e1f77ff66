package dev.cordon.vm.json;

import java.io.IOException;
import java.util.List;

/** Text that is not JSON, or is JSON that two readers could read in two ways. */
public final class InvalidJson extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * One thing that is wrong.
     *
     * @param pointer where, as a JSON pointer (RFC 6901); empty for the document
     * @param problem what is wrong, without a subject
     */
    public record Flaw(String pointer, String problem) {}

    private final transient List<Flaw> flaws;

    InvalidJson(List<Flaw> flaws) {
        super("the document "
                + String.join(", ", flaws.stream().map(InvalidJson::text).toList()));
        this.flaws = List.copyOf(flaws);
    }

    private static String text(Flaw flaw) {
        return flaw.pointer().isEmpty() ? flaw.problem() : flaw.problem() + " at " + flaw.pointer();
    }

    /** What is wrong, at least one thing. */
    public List<Flaw> flaws() {
        return flaws;
    }
}
