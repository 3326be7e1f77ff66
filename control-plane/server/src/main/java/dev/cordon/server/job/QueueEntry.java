package dev.cordon.server.job;

import java.util.concurrent.CountDownLatch;

/**
 * One job in the queue or in a slot. A job that has to wait for something else gives its slot to others meanwhile, and takes another one
 * afterwards, before its owner's other jobs.
 */
final class QueueEntry {
    /** What is done in a slot. */
    @FunctionalInterface
    interface Work {
        /** Calls {@link QueueEntry#leave} at its end. */
        void run(QueueEntry turn);
    }

    private final JobQueue queue;
    private final String owner;
    private final long memory;
    private final Work work;
    /** Guarded by the lock of the admission, like {@link #started} and {@link #inSlot}. */
    private CountDownLatch resumed = new CountDownLatch(1);

    private boolean started;
    private boolean inSlot;
    private boolean givenUp;

    QueueEntry(JobQueue queue, String owner, long memory, Work work) {
        this.queue = queue;
        this.owner = owner;
        this.memory = memory;
        this.work = work;
    }

    String owner() {
        return owner;
    }

    long memory() {
        return memory;
    }

    boolean waitsFor(Work other) {
        return !started && work.equals(other);
    }

    boolean began() {
        return started;
    }

    boolean inSlot() {
        return inSlot;
    }

    boolean givenUp() {
        return givenUp;
    }

    /** Nobody waits for a slot for it. */
    void giveUp() {
        givenUp = true;
        resumed.countDown();
    }

    /** Begins, or goes on. */
    void begin() {
        inSlot = true;
        resumed.countDown();
        if (!started) {
            started = true;
            Thread.ofVirtual().name("cordon-job").start(() -> work.run(this));
        }
    }

    void end() {
        inSlot = false;
        resumed = new CountDownLatch(1);
    }

    CountDownLatch resumed() {
        return resumed;
    }

    /** Takes no slot any more, and waits for none. */
    void withdraw() {
        queue.giveUp(this);
    }

    /** Lets others have the slot; the job counts as waiting. */
    void rest() {
        queue.rest(this);
    }

    /** Waits for a slot again. */
    void resume() {
        queue.resume(this);
    }

    /** It is over. */
    void leave() {
        queue.leave(this);
    }
}
