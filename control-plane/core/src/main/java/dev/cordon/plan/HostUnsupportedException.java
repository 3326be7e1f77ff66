package dev.cordon.plan;

import dev.cordon.api.Outcome;

/** The host cannot give what the job demands, and nothing weaker is given instead. */
public final class HostUnsupportedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Outcome.HostUnsupported outcome;

    /**
     * What is missing.
     *
     * @param check  what was looked for
     * @param remedy what to do about it
     */
    public HostUnsupportedException(String check, String remedy) {
        super(check + ": " + remedy);
        this.outcome = new Outcome.HostUnsupported(check, remedy);
    }

    /** What is lacking, with the remedy. */
    public Outcome.HostUnsupported outcome() {
        return outcome;
    }
}
