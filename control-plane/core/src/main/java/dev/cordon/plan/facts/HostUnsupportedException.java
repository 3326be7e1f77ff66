package dev.cordon.plan.facts;

import dev.cordon.result.Outcome;

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
        this(check, remedy, Outcome.Fault.OTHER);
    }

    /**
     * What is missing, and what kind of lack it is.
     *
     * @param check  what was looked for
     * @param remedy what to do about it
     * @param fault  its kind
     */
    public HostUnsupportedException(String check, String remedy, Outcome.Fault fault) {
        super(check + ": " + remedy);
        this.outcome = new Outcome.HostUnsupported(check, remedy, fault);
    }

    /** What is lacking, with the remedy. */
    public Outcome.HostUnsupported outcome() {
        return outcome;
    }
}
