package dev.cordon.selftest.rig;

import java.util.function.IntConsumer;

/** Does something again and again on a thread of its own until it is closed. */
public final class RepeatingThread implements AutoCloseable {
    private final Thread thread;
    private volatile boolean stopped;

    private RepeatingThread(IntConsumer turn) {
        thread = Thread.ofPlatform().name("selftest-repetition").unstarted(() -> {
            for (int round = 0; !stopped; round++) {
                turn.accept(round);
            }
        });
    }

    /** Starts with turn 0. */
    public static RepeatingThread start(IntConsumer turn) {
        RepeatingThread repetition = new RepeatingThread(turn);
        repetition.thread.start();
        return repetition;
    }

    /** Returns when the last turn is over. */
    @Override
    public void close() {
        stopped = true;
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
