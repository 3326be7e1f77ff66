package dev.cordon.server.job;

import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * So many jobs at once, so many waiting, and turns by owner: whoever has a thousand jobs waiting delays somebody's only one by one job
 * for each slot. What the jobs in slots may hold in memory is bounded, too; a job that does not fit waits, and nobody overtakes it who
 * would keep it waiting.
 */
public final class JobQueue {
    /** Of the memory, so much is for one owner's jobs: three quarters. A single job may take more. */
    private static final int SHARES = 4;

    /**
     * How many jobs.
     *
     * @param running         at once
     * @param runningPerOwner at once, of one owner
     * @param waiting         in the queue
     * @param waitingPerOwner in the queue, of one owner
     * @param memory          bytes of output that those at once may hold together
     */
    public record Bounds(int running, int runningPerOwner, int waiting, int waitingPerOwner, long memory) {}

    /** What an owner has in slots. */
    private record Taken(int slots, long memory) {
        private static final Taken NOTHING = new Taken(0, 0);

        Taken with(QueueEntry turn) {
            return new Taken(slots + 1, memory + turn.memory());
        }

        Taken without(QueueEntry turn) {
            return new Taken(slots - 1, memory - turn.memory());
        }
    }

    private final Bounds bounds;
    private final ScopedLock lock = new ScopedLock();
    private final Map<String, ArrayDeque<QueueEntry>> waiting = new LinkedHashMap<>();
    /** Jobs that left their slot for a while, and are not in the queue for another one yet. */
    private final Map<String, Integer> resting = new HashMap<>();

    private final Map<String, Taken> taken = new HashMap<>();
    private Taken all = Taken.NOTHING;
    private int queued;
    private boolean closed;

    /** With these bounds. */
    public JobQueue(Bounds bounds) {
        this.bounds = bounds;
    }

    /**
     * Starts the work on a thread of its own, now or when its turn comes.
     *
     * @param memory what it may hold, in bytes
     * @throws RequestProblem when the queue is full, or the service is stopping
     */
    void enter(String owner, long memory, QueueEntry.Work work) {
        QueueEntry turn = new QueueEntry(this, owner, memory, work);
        try (ScopedLock.Held _ = lock.hold()) {
            requireOpen();
            boolean full = full(owner);
            // Whose jobs rest will have this one rest, too: that takes room in the queue.
            if (startsNow(turn) && (!full || !resting.containsKey(owner))) {
                start(turn);
                return;
            }
            if (full) {
                throw queueFull(owner);
            }
            waiting.computeIfAbsent(owner, ignored -> new ArrayDeque<>()).add(turn);
            queued++;
        }
    }

    /**
     * Refuses what {@link #enter} would refuse, as far as that is certain, before anything is written for it.
     *
     * @throws RequestProblem as there
     */
    void requireRoom(String owner) {
        try (ScopedLock.Held _ = lock.hold()) {
            requireOpen();
            boolean slots = all.slots() < bounds.running()
                    && taken.getOrDefault(owner, Taken.NOTHING).slots() < bounds.runningPerOwner();
            if (!slots && full(owner)) {
                throw queueFull(owner);
            }
        }
    }

    private void requireOpen() {
        if (closed) {
            throw RequestProblem.of(ProblemCode.DRAINING, "the service is stopping; try again when it is up")
                    .retryAfter(Duration.ofSeconds(10));
        }
    }

    private boolean full(String owner) {
        return queued >= bounds.waiting() || ownWaiting(owner) >= bounds.waitingPerOwner();
    }

    private RequestProblem queueFull(String owner) {
        return RequestProblem.of(
                        ProblemCode.QUEUE_FULL,
                        ownWaiting(owner) + " jobs of " + owner + " wait, at most " + bounds.waitingPerOwner()
                                + " may, and " + bounds.waiting() + " of all owners: try again later")
                .retryAfter(Duration.ofSeconds(1));
    }

    private int ownWaiting(String owner) {
        ArrayDeque<QueueEntry> own = waiting.get(owner);
        return (own == null ? 0 : own.size()) + resting.getOrDefault(owner, 0);
    }

    /** Takes work out of the queue; false when it has started. */
    boolean withdraw(String owner, QueueEntry.Work work) {
        try (ScopedLock.Held _ = lock.hold()) {
            ArrayDeque<QueueEntry> own = waiting.get(owner);
            if (own == null || !own.removeIf(turn -> turn.waitsFor(work))) {
                return false;
            }
            queued--;
            if (own.isEmpty()) {
                waiting.remove(owner);
            }
            startWaiting(); // the next one may be smaller
            return true;
        }
    }

    /** Whether the owner's share has room for it. */
    private boolean mayRun(QueueEntry turn) {
        Taken own = taken.getOrDefault(turn.owner(), Taken.NOTHING);
        long share = bounds.memory() - bounds.memory() / SHARES;
        return own.slots() < bounds.runningPerOwner() && (own.slots() == 0 || own.memory() + turn.memory() <= share);
    }

    private boolean fits(QueueEntry turn) {
        return all.slots() < bounds.running() && (all.slots() == 0 || all.memory() + turn.memory() <= bounds.memory());
    }

    /** Whether nobody waits whom it would overtake: those who could run but for the memory are first. */
    private boolean startsNow(QueueEntry turn) {
        return mayRun(turn) && fits(turn) && waiting.values().stream().noneMatch(own -> mayRun(own.getFirst()));
    }

    void rest(QueueEntry turn) {
        try (ScopedLock.Held _ = lock.hold()) {
            stop(turn);
            queued++;
            resting.merge(turn.owner(), 1, Integer::sum);
            startWaiting();
        }
    }

    /** Comes back to a slot; a job that is stopped with the service does not wait for one. */
    void resume(QueueEntry turn) {
        CountDownLatch resumed;
        try (ScopedLock.Held _ = lock.hold()) {
            if (turn.givenUp()) {
                return; // counts as waiting until it leaves
            }
            resting.computeIfPresent(turn.owner(), (ignored, count) -> count > 1 ? count - 1 : null);
            resumed = turn.resumed();
            if (closed || startsNow(turn)) {
                queued--;
                start(turn);
            } else {
                waiting.computeIfAbsent(turn.owner(), ignored -> new ArrayDeque<>())
                        .addFirst(turn);
            }
        }
        awaitUninterruptibly(resumed);
    }

    /** Whoever went on without a slot would run beside as many as may run. */
    private static void awaitUninterruptibly(CountDownLatch resumed) {
        boolean interrupted = false;
        for (boolean waits = true; waits; ) {
            try {
                resumed.await();
                waits = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** It takes no slot any more: its job is cancelled, and leaves at once where it waits for one. */
    void giveUp(QueueEntry turn) {
        try (ScopedLock.Held _ = lock.hold()) {
            turn.giveUp();
            ArrayDeque<QueueEntry> own = waiting.get(turn.owner());
            if (own == null || !own.remove(turn)) {
                return;
            }
            resting.merge(turn.owner(), 1, Integer::sum);
            if (own.isEmpty()) {
                waiting.remove(turn.owner());
            }
            startWaiting(); // the next one may be smaller
        }
    }

    /** Passes a slot on. */
    void leave(QueueEntry turn) {
        try (ScopedLock.Held _ = lock.hold()) {
            if (turn.inSlot()) {
                stop(turn);
                startWaiting();
            } else {
                queued--; // it ended while it waited elsewhere
                resting.computeIfPresent(turn.owner(), (ignored, count) -> count > 1 ? count - 1 : null);
            }
        }
    }

    private void startWaiting() {
        for (boolean started = !closed; started; ) {
            started = startNext();
        }
    }

    /** The first owner's first; an owner whose share is used up is passed over, one whom the memory holds up is not. */
    private boolean startNext() {
        Iterator<Map.Entry<String, ArrayDeque<QueueEntry>>> owners =
                waiting.entrySet().iterator();
        while (owners.hasNext()) {
            Map.Entry<String, ArrayDeque<QueueEntry>> entry = owners.next();
            ArrayDeque<QueueEntry> own = entry.getValue();
            if (!mayRun(own.getFirst())) {
                continue;
            }
            if (!fits(own.getFirst())) {
                return false;
            }
            owners.remove();
            QueueEntry turn = own.removeFirst();
            queued--;
            if (!own.isEmpty()) {
                waiting.put(entry.getKey(), own); // to the end: the others come first
            }
            start(turn);
            return true;
        }
        return false;
    }

    private void start(QueueEntry turn) {
        all = all.with(turn);
        taken.merge(turn.owner(), Taken.NOTHING.with(turn), (own, ignored) -> own.with(turn));
        turn.begin();
    }

    private void stop(QueueEntry turn) {
        turn.end();
        all = all.without(turn);
        taken.computeIfPresent(turn.owner(), (ignored, own) -> own.slots() > 1 ? own.without(turn) : null);
    }

    /** Lets nothing in any more; those who wait to go on need not wait. */
    void close() {
        try (ScopedLock.Held _ = lock.hold()) {
            closed = true;
            for (ArrayDeque<QueueEntry> own : waiting.values()) {
                own.stream().filter(QueueEntry::began).forEach(this::start);
                int before = own.size();
                own.removeIf(QueueEntry::began);
                queued -= before - own.size();
            }
            waiting.values().removeIf(ArrayDeque::isEmpty);
        }
    }

    /** How many of this owner's wait in the queue. */
    int waitingOf(String owner) {
        try (ScopedLock.Held _ = lock.hold()) {
            ArrayDeque<QueueEntry> own = waiting.get(owner);
            return own == null ? 0 : own.size();
        }
    }

    /** How many wait. */
    public int queued() {
        try (ScopedLock.Held _ = lock.hold()) {
            return queued;
        }
    }

    /** How many run. */
    public int running() {
        try (ScopedLock.Held _ = lock.hold()) {
            return all.slots();
        }
    }

    /** What those that run may hold, in bytes. */
    public long memory() {
        try (ScopedLock.Held _ = lock.hold()) {
            return all.memory();
        }
    }
}
