package dev.cordon;

/** The time that a sandbox was not paused. */
final class AwakeTime {
    private long asleep;
    private long since;
    private boolean paused;

    synchronized boolean paused() {
        return paused;
    }

    /** Stands still from now. */
    synchronized void pause() {
        if (!paused) {
            paused = true;
            since = System.nanoTime();
        }
    }

    /** Goes on. */
    synchronized void resume() {
        if (paused) {
            paused = false;
            asleep += System.nanoTime() - since;
        }
    }

    /** Nanoseconds since some moment, pauses left out. */
    synchronized long nanos() {
        return (paused ? since : System.nanoTime()) - asleep;
    }
}
