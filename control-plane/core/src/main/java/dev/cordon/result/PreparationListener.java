package dev.cordon.result;

/** Hears of what takes long before the first job of a kind can run, such as building the image of a virtual machine. */
@FunctionalInterface
public interface PreparationListener {
    /**
     * A step begins.
     *
     * @param step the number of the step, from 1
     * @param of   how many there are
     * @param what what is done, for people
     */
    void step(int step, int of, String what);

    /** The preparation is over, well or not. */
    default void ended() {}

    /** Hears nothing. */
    static PreparationListener none() {
        return (step, of, what) -> {};
    }
}
