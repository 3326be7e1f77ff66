package dev.cordon.flow;

/** The time that a sandbox was not paused. */
public final class AwakeTime {
    private long asleep;
    private long since;
    private boolean paused;

    public synchronized boolean paused() {
        return paused;
    }

    /** Stands still from now. */
    public synchronized void pause() {
        if (!paused) {
            paused = true;
            since = System.nanoTime();
        }
    }

    /** Goes on. */
    public synchronized void resume() {
        if (paused) {
            paused = false;
            asleep += System.nanoTime() - since;
        }
    }

    /** Nanoseconds since some moment, pauses left out. */
    public synchronized long nanos() {
        return (paused ? since : System.nanoTime()) - asleep;
    }
}
