package dev.cordon.quota;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.policy.rule.Quota;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one owner has and had. Guarded by the lock of {@link Quotas}. */
final class OwnerAccount {
    /** What a job may take at most, while it runs; a sandbox's place is that of its first command, too. */
    record Running(long deadline, long memory, long cpuNanos, double memorySeconds, int places) {}

    /** What jobs took, at a time. */
    private record Spent(long time, long cpuNanos, double memorySeconds) {}

    /** Steps that a window is counted in. */
    private static final int STEPS = 64;

    private static final long VIOLATION_WINDOW = Duration.ofHours(1).toNanos();

    final List<Running> running = new ArrayList<>();
    final Deque<Object> waiting = new ArrayDeque<>();
    private final Deque<Spent> spent = new ArrayDeque<>();
    private final Deque<Long> violations = new ArrayDeque<>();
    private @Nullable TokenBucket bucket;

    /** Null when there is room. */
    QuotaAnswer.@Nullable Refused full(Quota quota, Running job, long now) {
        int taken = running.stream().mapToInt(Running::places).sum();
        if (quota.running() != null && taken + job.places() > quota.running()) {
            return new QuotaAnswer.Refused(
                    taken + " of " + quota.running() + " jobs at one time are running", nextEnd(now));
        }
        long memory = running.stream().mapToLong(Running::memory).sum();
        if (quota.memory() != null && memory + job.memory() > quota.memory().bytes()) {
            boolean never = job.memory() > quota.memory().bytes();
            return new QuotaAnswer.Refused(
                    "running jobs have " + ByteSize.bytes(memory) + " of " + quota.memory()
                            + " of memory, and this one asks for " + ByteSize.bytes(job.memory()),
                    never ? null : nextEnd(now));
        }
        return null;
    }

    /** Null when the budgets of the window have room, also if every running job takes all it may. */
    QuotaAnswer.@Nullable Refused spent(Quota quota, Running job, long now) {
        forget(now - quota.window().toNanos());
        if (quota.cpuTime() != null) {
            long budget = quota.cpuTime().toNanos();
            long used = spent.stream().mapToLong(Spent::cpuNanos).sum();
            long reserved = running.stream().mapToLong(Running::cpuNanos).sum();
            if (used + reserved + job.cpuNanos() > budget) {
                return new QuotaAnswer.Refused(
                        "CPU time: " + DurationFormat.format(Duration.ofNanos(used)) + " used and "
                                + DurationFormat.format(Duration.ofNanos(reserved)) + " reserved by running jobs of "
                                + DurationFormat.format(quota.cpuTime()) + " in "
                                + DurationFormat.format(quota.window()) + ", and this one may take "
                                + DurationFormat.format(Duration.ofNanos(job.cpuNanos())),
                        job.cpuNanos() > budget
                                ? null
                                : whenFree(quota, now, used + reserved + job.cpuNanos() - budget, 0));
            }
        }
        if (quota.memorySeconds() != null) {
            double budget = quota.memorySeconds().bytes();
            double used = spent.stream().mapToDouble(Spent::memorySeconds).sum();
            double reserved =
                    running.stream().mapToDouble(Running::memorySeconds).sum();
            if (used + reserved + job.memorySeconds() > budget) {
                return new QuotaAnswer.Refused(
                        "memory: " + ByteSize.bytes((long) (used + reserved)) + " seconds of " + quota.memorySeconds()
                                + " in " + DurationFormat.format(quota.window())
                                + " are used or reserved, and this one may take "
                                + ByteSize.bytes((long) job.memorySeconds()),
                        job.memorySeconds() > budget
                                ? null
                                : whenFree(quota, now, 0, used + reserved + job.memorySeconds() - budget));
            }
        }
        return null;
    }

    /** When so much has left the window; when running jobs stand in the way, when the first of them ends. */
    private Duration whenFree(Quota quota, long now, long cpuNanos, double memorySeconds) {
        long cpu = cpuNanos;
        double memory = memorySeconds;
        for (Spent each : spent) {
            cpu -= each.cpuNanos();
            memory -= each.memorySeconds();
            if (cpu <= 0 && memory <= 0) {
                return Duration.ofNanos(Math.max(1, each.time() + quota.window().toNanos() - now));
            }
        }
        return nextEnd(now);
    }

    private Duration nextEnd(long now) {
        long first = running.stream().mapToLong(Running::deadline).min().orElse(now);
        return Duration.ofNanos(Math.max(Duration.ofMillis(100).toNanos(), first - now));
    }

    /** Null when a token was taken. */
    QuotaAnswer.@Nullable Refused tooOften(Quota quota, long now) {
        if (quota.rate() == null) {
            return null;
        }
        if (bucket == null) {
            bucket = new TokenBucket(quota.rate(), now);
        }
        bucket.refill(quota.rate(), now);
        return bucket.take()
                ? null
                : new QuotaAnswer.Refused(
                        "rate: " + quota.rate().count() + " jobs in "
                                + DurationFormat.format(quota.rate().per()) + ", at most "
                                + quota.rate().burst() + " at once",
                        bucket.untilNext());
    }

    void giveTokenBack(Quota quota) {
        if (quota.rate() != null && bucket != null) {
            bucket.giveBack();
        }
    }

    void spend(Quota quota, long now, long cpuNanos, double memorySeconds) {
        long step = quota.window().toNanos() / STEPS;
        Spent latest = spent.peekLast();
        if (latest != null && now - latest.time() < step) {
            spent.removeLast();
            spent.addLast(
                    new Spent(latest.time(), latest.cpuNanos() + cpuNanos, latest.memorySeconds() + memorySeconds));
        } else {
            spent.addLast(new Spent(now, cpuNanos, memorySeconds));
        }
    }

    private void forget(long before) {
        while (!spent.isEmpty() && spent.peekFirst().time() - before <= 0) {
            spent.removeFirst();
        }
    }

    void violated(int count, long now) {
        for (int i = 0; i < Math.min(count, STEPS) && violations.size() < STEPS; i++) {
            violations.addLast(now);
        }
    }

    int recentViolations(long now) {
        while (!violations.isEmpty() && now - violations.peekFirst() > VIOLATION_WINDOW) {
            violations.removeFirst();
        }
        return violations.size();
    }

    /** Whether forgetting it changes nothing. */
    boolean idle(@Nullable Quota quota, long now) {
        if (quota != null) {
            forget(now - quota.window().toNanos());
            if (quota.rate() != null && bucket != null) {
                bucket.refill(quota.rate(), now);
            }
        }
        return running.isEmpty()
                && waiting.isEmpty()
                && spent.isEmpty()
                && recentViolations(now) == 0
                && (bucket == null || quota == null || quota.rate() == null || bucket.isFull());
    }
}
