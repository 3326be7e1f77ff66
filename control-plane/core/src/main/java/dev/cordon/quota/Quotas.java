package dev.cordon.quota;

import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import dev.cordon.policy.rule.Policy;
import dev.cordon.policy.rule.Quota;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Usage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what owners have, and holds them to their quotas. Safe for many threads: of any number that ask at one time exactly as many are
 * admitted as the quota allows. Bounded: only owners with something to count are remembered.
 */
public final class Quotas {
    private static final int MOST_OWNERS = 10_000;
    private static final double NANOS = 1e9;

    /** A place in a queue; guarded by the lock. */
    private static final class Ticket {
        private final long deadline;
        private boolean givenUp;

        Ticket(long deadline) {
            this.deadline = deadline;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<String, OwnerAccount> accounts = new HashMap<>();
    private final LongSupplier clock;

    /** Nobody has anything yet. */
    public Quotas() {
        this(System::nanoTime);
    }

    Quotas(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Asks for a place for one job. Waits where the quota has a queue and the queue has room; a thread that is interrupted while it waits
     * is refused.
     *
     * @param limits   what the job may take at most: it counts as taken until the job is over
     * @param listener told when the job has to wait, and when it no longer does
     */
    public QuotaAnswer admit(String owner, Limits limits, Policy policy, OutputListener listener) {
        return admit(owner, running(limits), policy, listener);
    }

    /**
     * Asks for a command in a sandbox, which has its memory already.
     *
     * @param first whether nothing else runs in the sandbox: the sandbox's own place is this command's
     */
    public QuotaAnswer admitInside(String owner, Limits limits, Policy policy, boolean first, OutputListener listener) {
        OwnerAccount.Running own = running(limits);
        return admit(
                owner, new OwnerAccount.Running(own.deadline(), 0, own.cpuNanos(), 0, first ? 0 : 1), policy, listener);
    }

    /**
     * Asks for a command in a sandbox that waits for work, such as an interpreter: what the work may take is asked for with each piece.
     *
     * @param first whether nothing else runs in the sandbox
     */
    public QuotaAnswer admitWaiting(String owner, Policy policy, boolean first) {
        return admit(
                owner,
                new OwnerAccount.Running(Limit.TIMEOUT.most(), 0, 0, 0, first ? 0 : 1),
                policy,
                OutputListener.none());
    }

    private QuotaAnswer admit(String owner, OwnerAccount.Running asked, Policy policy, OutputListener listener) {
        Optional<Quota> found = policy.quota(owner);
        if (found.isEmpty()) {
            return new QuotaAnswer.Admitted(JobPermit.free());
        }
        Quota quota = found.get();
        Ticket ticket = new Ticket(clock.getAsLong() + quota.patience().toNanos());
        OwnerAccount account;
        lock.lock();
        try {
            account = account(owner, policy);
            if (account == null) {
                return refused(owner, "more than " + MOST_OWNERS + " owners have jobs", Duration.ofSeconds(1));
            }
            QuotaAnswer.Refused often = account.tooOften(quota, clock.getAsLong());
            if (often != null) {
                return named(owner, often);
            }
            QuotaAnswer answer = attempt(owner, account, quota, asked, ticket);
            if (answer instanceof QuotaAnswer.Refused) {
                account.giveTokenBack(quota);
            }
            if (answer != null) {
                return answer;
            }
        } finally {
            lock.unlock();
        }
        return awaited(owner, account, quota, asked, ticket, listener);
    }

    /** Null when it has to wait: its ticket is in the queue then. */
    private @Nullable QuotaAnswer attempt(
            String owner, OwnerAccount account, Quota quota, OwnerAccount.Running asked, Ticket ticket) {
        long now = clock.getAsLong();
        OwnerAccount.Running job = from(asked, now);
        QuotaAnswer.Refused spent = account.spent(quota, job, now);
        if (spent != null) {
            return named(owner, spent);
        }
        QuotaAnswer.Refused full = full(account, quota, job, ticket, now);
        if (full == null) {
            return entered(account, quota, job);
        }
        if (full.retryAfter() == null || account.waiting.size() >= quota.queued()) {
            return named(owner, withQueue(full, quota));
        }
        account.waiting.addLast(ticket);
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // a ticket is itself alone
    private static QuotaAnswer.@Nullable Refused full(
            OwnerAccount account, Quota quota, OwnerAccount.Running job, Ticket ticket, long now) {
        QuotaAnswer.Refused full = account.full(quota, job, now);
        boolean first = account.waiting.isEmpty() || account.waiting.peekFirst() == ticket;
        return full == null && !first
                ? new QuotaAnswer.Refused("other jobs wait already", Duration.ofSeconds(1))
                : full;
    }

    private QuotaAnswer entered(OwnerAccount account, Quota quota, OwnerAccount.Running job) {
        account.running.add(job);
        return new QuotaAnswer.Admitted(new JobPermit(usage -> release(account, quota, job, usage)));
    }

    private QuotaAnswer awaited(
            String owner,
            OwnerAccount account,
            Quota quota,
            OwnerAccount.Running asked,
            Ticket ticket,
            OutputListener listener) {
        QuotaAnswer answer;
        boolean told = false;
        try {
            listener.queued(() -> giveUp(ticket)); // without the lock: a listener may take its time
            told = true;
        } finally {
            lock.lock();
            try {
                answer = told ? inTurn(owner, account, quota, asked, ticket) : QuotaAnswer.Refused.GIVEN_UP;
                if (answer instanceof QuotaAnswer.Refused) {
                    account.giveTokenBack(quota);
                }
                account.waiting.remove(ticket);
                freed.signalAll();
            } finally {
                lock.unlock();
            }
        }
        if (answer instanceof QuotaAnswer.Admitted admitted) {
            admitted.permit().tell(listener);
        }
        return answer;
    }

    private void giveUp(Ticket ticket) {
        lock.lock();
        try {
            ticket.givenUp = true;
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private QuotaAnswer inTurn(
            String owner, OwnerAccount account, Quota quota, OwnerAccount.Running asked, Ticket ticket) {
        try {
            while (!ticket.givenUp) {
                long now = clock.getAsLong();
                OwnerAccount.Running job = from(asked, now);
                QuotaAnswer.Refused refused = account.spent(quota, job, now);
                if (refused != null) {
                    return named(owner, refused);
                }
                refused = full(account, quota, job, ticket, now);
                if (refused == null) {
                    return entered(account, quota, job);
                }
                if (now >= ticket.deadline) {
                    return named(owner, refused);
                }
                // Woken by an end, by the deadline or by nothing at all: the next round looks.
                long left = freed.awaitNanos(ticket.deadline - now);
                if (left <= 0 && clock.getAsLong() < ticket.deadline) {
                    return named(owner, refused);
                }
            }
            return QuotaAnswer.Refused.GIVEN_UP;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused(owner, "interrupted while it waited for another job to end", Duration.ofMillis(1));
        }
    }

    private static QuotaAnswer.Refused withQueue(QuotaAnswer.Refused refused, Quota quota) {
        return quota.queued() == 0
                ? refused
                : new QuotaAnswer.Refused(
                        refused.reason() + ", and " + quota.queued() + " wait already", refused.retryAfter());
    }

    /** What a job may take; its deadline is counted from its start. */
    private static OwnerAccount.Running running(Limits limits) {
        double seconds = limits.timeout().toNanos() / NANOS;
        return new OwnerAccount.Running(
                limits.timeout().toNanos(),
                limits.memory().bytes(),
                limits.cpuTime().toNanos(),
                limits.memory().bytes() * seconds,
                1);
    }

    private static OwnerAccount.Running from(OwnerAccount.Running asked, long now) {
        return new OwnerAccount.Running(
                now + asked.deadline(), asked.memory(), asked.cpuNanos(), asked.memorySeconds(), asked.places());
    }

    @SuppressWarnings("ReferenceEquality") // another job may look the same
    private void release(OwnerAccount account, Quota quota, OwnerAccount.Running job, Usage usage) {
        lock.lock();
        try {
            account.running.removeIf(each -> each == job);
            double memorySeconds = job.memory() * (usage.wall().toNanos() / NANOS);
            account.spend(quota, clock.getAsLong(), usage.cpu().toNanos(), memorySeconds);
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Remembers that jobs of an owner tripped wires. */
    public void violated(String owner, int count, Policy policy) {
        lock.lock();
        try {
            OwnerAccount account = account(owner, policy);
            if (account != null) {
                account.violated(count, clock.getAsLong());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tripped wires of an owner in the last hour; counted up to a small number. */
    public int recentViolations(String owner) {
        lock.lock();
        try {
            OwnerAccount account = accounts.get(owner);
            return account == null ? 0 : account.recentViolations(clock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    /** Null when there are too many. */
    private @Nullable OwnerAccount account(String owner, Policy policy) {
        OwnerAccount known = accounts.get(owner);
        if (known != null) {
            return known;
        }
        if (accounts.size() >= MOST_OWNERS) {
            long now = clock.getAsLong();
            accounts.entrySet()
                    .removeIf(entry ->
                            entry.getValue().idle(policy.quota(entry.getKey()).orElse(null), now));
            if (accounts.size() >= MOST_OWNERS) {
                return null;
            }
        }
        OwnerAccount account = new OwnerAccount();
        accounts.put(owner, account);
        return account;
    }

    private static QuotaAnswer.Refused named(String owner, QuotaAnswer.Refused refused) {
        return new QuotaAnswer.Refused("quota of " + owner + ": " + refused.reason(), refused.retryAfter());
    }

    private static QuotaAnswer.Refused refused(String owner, String reason, Duration retryAfter) {
        return named(owner, new QuotaAnswer.Refused(reason, retryAfter));
    }
}
