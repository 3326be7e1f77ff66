package dev.cordon.vm.layer;

/** Hears how far a long build is. */
@FunctionalInterface
public interface BuildProgress {
    /**
     * A step begins.
     *
     * @param step the number of the step, from 1
     * @param of   how many there are
     * @param what what is done, for people
     */
    void step(int step, int of, String what);

    /** The build is over, well or not. */
    default void end() {}

    /** Tells nobody. */
    static BuildProgress silent() {
        return (step, of, what) -> {};
    }
}
