package dev.cordon.quota;

import dev.cordon.config.Config;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.MemoryState;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Promises memory: the limits of all jobs and sandboxes of one Cordon together stay within a budget, and those of one owner within a share of
 * it, his first one included. Where the share is the whole budget, whoever is alone gets what he asks for, within the ceilings, so that a
 * small host runs one job at a time. Safe for many threads: of any number that ask at one time no more are let in than fit. Jobs that wait
 * are let in by the time of their coming: for a while nobody passes one that its owner's share has room for, unless both fit.
 * Other processes that run Cordon on this host have budgets of their own.
 */
public final class MemoryBudget {
    private static final Duration SOON = Duration.ofSeconds(1);

    /** When to ask again where others have the memory: the same for everybody, since when theirs end is not the asker's to know. */
    private static final Duration AGAIN = Duration.ofSeconds(10);

    /** So long one who waits keeps out those who came later. */
    private static final Duration RESERVES = Duration.ofSeconds(10);

    /** And so long no other of its owner does then: a queue that is always full would keep memory idle for nothing. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    /** How often who waits looks again whether those before it still keep it out. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** What a sandbox's end is expected in, since most have no end that is known. */
    private static final Duration LATER = Duration.ofSeconds(30);

    /** What somebody has, until its deadline at the latest. */
    private record Held(String owner, long bytes, long deadline) {}

    /** Who waits. */
    private static final class Ticket {
        private final Wish wish;
        private final long since;
        private boolean givenUp;

        Ticket(Wish wish, long since) {
            this.wish = wish;
            this.since = since;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Set<Held> held = Collections.newSetFromMap(new IdentityHashMap<>()); // another one may look the same
    /** The bytes of everybody, and of each owner who has some: every job asks for both. */
    private final Map<String, Long> owned = new HashMap<>();

    private long all;
    /** By the time of their coming. */
    private final List<Ticket> queue = new ArrayList<>();
    /** Owners who kept others out for long enough, and until when they do not. */
    private final Map<String, Long> paused = new HashMap<>();

    private final ByteSize budget;
    private final ByteSize share;
    private final LongSupplier clock;
    private long refused;

    /**
     * With nothing promised yet.
     *
     * @param share of one owner
     */
    public MemoryBudget(ByteSize budget, ByteSize share) {
        this(budget, share, System::nanoTime);
    }

    MemoryBudget(ByteSize budget, ByteSize share, LongSupplier clock) {
        this.budget = budget;
        this.share = share;
        this.clock = clock;
    }

    /** The budget that settings give on this host, with nothing promised yet. */
    public static MemoryBudget of(Config config) {
        ByteSize budget = rounded(config.memory().budget(host(), MemoryNeed.ahead(config)));
        return new MemoryBudget(budget, rounded(ByteSize.bytes((long)
                (budget.bytes() * config.memory().share()))));
    }

    /** Refusals show it. */
    private static ByteSize rounded(ByteSize size) {
        return ByteSize.mib(size.bytes() / ByteSize.mib(1).bytes());
    }

    /** The memory that this process and its jobs can have at all. */
    public static ByteSize host() {
        return HostMemory.here();
    }

    /**
     * What is asked for.
     *
     * @param owner    whose
     * @param memory   the limit
     * @param time     how long it is held at most; null for a sandbox, which nobody knows of
     * @param patience how long to wait for it
     */
    public record Wish(
            String owner, ByteSize memory, @Nullable Duration time, Duration patience) {}

    /**
     * Promises memory to a job that has its place among its owner's already, and gives that place back when it gets none.
     *
     * @param place    what it has
     * @param listener hears when it has to wait
     */
    public QuotaAnswer admit(Wish wish, JobPermit place, OutputListener listener) {
        boolean done = false;
        try {
            QuotaAnswer answer = answer(wish, place, listener);
            done = answer instanceof QuotaAnswer.Admitted;
            return answer;
        } finally {
            if (!done) {
                place.release(Usage.none());
            }
        }
    }

    private QuotaAnswer answer(Wish wish, JobPermit place, OutputListener listener) {
        Ticket ticket = new Ticket(wish, clock.getAsLong());
        lock.lock();
        try {
            QuotaAnswer.Refused full = full(ticket);
            if (full == null) {
                return entered(wish, place);
            }
            if (wish.patience().isZero() || full.retryAfter() == null) {
                refused++;
                return full;
            }
            queue.add(ticket);
        } finally {
            lock.unlock();
        }
        try {
            listener.queued(() -> giveUp(ticket)); // without the lock: a listener may take its time
        } catch (Throwable e) { // of a listener in another language, too
            change(() -> queue.remove(ticket));
            throw e;
        }
        QuotaAnswer answer = awaited(wish, place, ticket);
        if (answer instanceof QuotaAnswer.Admitted admitted) {
            admitted.permit().tell(listener);
        }
        return answer;
    }

    private QuotaAnswer awaited(Wish wish, JobPermit place, Ticket ticket) {
        lock.lock();
        try {
            long deadline = clock.getAsLong() + wish.patience().toNanos();
            while (!ticket.givenUp) {
                QuotaAnswer.Refused full = full(ticket);
                if (full == null) {
                    return entered(wish, place);
                }
                long left = deadline - clock.getAsLong();
                if (left <= 0) {
                    refused++;
                    return full;
                }
                // Woken by an end, by a clock or by nothing at all: the next round looks.
                long ignored = freed.awaitNanos(Math.min(left, LOOK.toNanos()));
            }
            return QuotaAnswer.Refused.GIVEN_UP;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new QuotaAnswer.Refused("interrupted while it waited for memory", Duration.ofMillis(1));
        } finally {
            queue.remove(ticket);
            freed.signalAll(); // those behind it look again
            lock.unlock();
        }
    }

    private void giveUp(Ticket ticket) {
        change(() -> ticket.givenUp = true);
    }

    /** Whoever waits looks again. */
    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private QuotaAnswer entered(Wish wish, JobPermit place) {
        Duration time = wish.time();
        long deadline = time == null ? Long.MAX_VALUE : clock.getAsLong() + time.toNanos();
        Held mine = new Held(wish.owner(), wish.memory().bytes(), deadline);
        held.add(mine);
        count(mine.owner(), mine.bytes());
        return new QuotaAnswer.Admitted(new JobPermit(usage -> {
            giveBack(mine);
            place.release(usage);
        }));
    }

    private void giveBack(Held mine) {
        change(() -> {
            if (held.remove(mine)) {
                count(mine.owner(), -mine.bytes());
            }
        });
    }

    private void count(String owner, long bytes) {
        all += bytes;
        owned.merge(owner, bytes, Long::sum);
        owned.remove(owner, 0L);
    }

    private long owned(String owner) {
        return owned.getOrDefault(owner, 0L);
    }

    /** Null when there is room, and nobody is kept waiting by it who came before. */
    private QuotaAnswer.@Nullable Refused full(Ticket ticket) {
        Wish wish = ticket.wish;
        long asked = wish.memory().bytes();
        if (shared() && asked > share.bytes()) {
            return new QuotaAnswer.Refused(
                    "memory: this one asks for " + wish.memory() + ", above the share of one owner, " + share + " of "
                            + budget + "; ask for less, or have memory.share raised",
                    null);
        }
        long own = owned(wish.owner());
        if (shared() && own + asked > share.bytes()) {
            return new QuotaAnswer.Refused(
                    "memory: limits of " + ByteSize.bytes(own) + " are promised to jobs and sandboxes of "
                            + wish.owner()
                            + ", one owner may have " + share + " of " + budget + ", and this one asks for "
                            + wish.memory() + "; end some of them, ask for less, or have memory.share raised",
                    nextEnd(wish.owner()));
        }
        return fits(ticket)
                ? null
                : new QuotaAnswer.Refused(
                        "memory: the host's budget of " + budget + " for jobs and sandboxes is in use, and this one"
                                + " asks for " + wish.memory()
                                + "; try again later, ask for less, or have memory.reserve lowered or"
                                + " memory.overcommit raised",
                        AGAIN);
    }

    private boolean shared() {
        return share.bytes() < budget.bytes();
    }

    /** Beside what is held and all that came before it and wait for nothing but this; an owner's wait for his share, too. */
    @SuppressWarnings("ReferenceEquality") // another one may look the same
    private boolean fits(Ticket ticket) {
        Map<String, Long> ahead = new HashMap<>();
        long taken = all;
        boolean alone = held.isEmpty();
        long now = clock.getAsLong();
        for (Ticket each : queue) {
            if (each == ticket) {
                break;
            }
            long bytes = each.wish.memory().bytes();
            String owner = each.wish.owner();
            long theirs = ahead.getOrDefault(owner, 0L) + bytes;
            if (!each.givenUp && !(shared() && owned(owner) + theirs > share.bytes()) && reserves(each, now)) {
                ahead.put(owner, theirs);
                taken += bytes;
                alone = false;
            }
        }
        return alone || taken + ticket.wish.memory().bytes() <= budget.bytes();
    }

    private boolean reserves(Ticket ticket, long now) {
        String owner = ticket.wish.owner();
        Long until = paused.get(owner);
        if (until != null && now - until < 0) {
            return false;
        }
        if (now - ticket.since <= RESERVES.toNanos()) {
            return true;
        }
        paused.values().removeIf(time -> now - time >= 0);
        paused.put(owner, now + PAUSE.toNanos());
        return false;
    }

    private Duration nextEnd(String owner) {
        long first = held.stream()
                .filter(each -> each.owner().equals(owner))
                .mapToLong(Held::deadline)
                .min()
                .orElse(Long.MAX_VALUE);
        Duration until = first == Long.MAX_VALUE ? LATER : Duration.ofNanos(first - clock.getAsLong());
        return until.compareTo(SOON) < 0 ? SOON : until.compareTo(LATER) > 0 ? LATER : until;
    }

    /** How it stands. */
    public MemoryState state() {
        lock.lock();
        try {
            return new MemoryState(budget, share, ByteSize.bytes(all), held.size(), queue.size(), refused);
        } finally {
            lock.unlock();
        }
    }
}
