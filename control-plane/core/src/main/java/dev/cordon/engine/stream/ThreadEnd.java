package dev.cordon.engine.stream;

/** The end of a thread, waited for whatever interrupts the wait; the interrupt is kept for the caller. */
public final class ThreadEnd {
    private ThreadEnd() {}

    public static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
