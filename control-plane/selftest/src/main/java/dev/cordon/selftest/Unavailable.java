package dev.cordon.selftest;

/**
 * A threat that this suite does not try.
 *
 * @param reason why, and what tries it instead
 */
record Unavailable(String id, String title, String reason) implements Probe {
    @Override
    public Finding run(Bench bench) {
        return Finding.notApplicable(reason);
    }
}
