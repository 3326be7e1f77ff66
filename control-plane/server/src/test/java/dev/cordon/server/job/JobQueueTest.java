package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JobQueueTest {
    private final BlockingQueue<String> started = new LinkedBlockingQueue<>();

    private final Map<String, QueueEntry> turns = new ConcurrentHashMap<>();

    private void enter(QueueEntry turn, String name) {
        turns.put(name, turn);
        started.add(name);
    }

    private void leave(String name) {
        Objects.requireNonNull(turns.remove(name), name).leave();
    }

    private String next() throws InterruptedException {
        return String.valueOf(started.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void ownersTakeTurns() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 100, 100, 1 << 30));
        queue.enter("busy", 0, turn -> enter(turn, "first"));
        assertThat(next()).isEqualTo("first");
        for (int i = 0; i < 5; i++) {
            String name = "busy" + i;
            queue.enter("busy", 0, turn -> enter(turn, name));
        }
        queue.enter("other", 0, turn -> enter(turn, "other"));
        queue.enter("third", 0, turn -> enter(turn, "third"));
        assertThat(queue.queued()).isEqualTo(7);
        String runs = "first";
        for (String expected : List.of("busy0", "other", "third", "busy1", "busy2", "busy3", "busy4")) {
            leave(runs);
            assertThat(next()).isEqualTo(expected);
            runs = expected;
        }
        leave(runs);
        assertThat(queue.running()).isZero();
    }

    @Test
    void oneOwnerLeavesRoomForOthers() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(3, 2, 100, 100, 1 << 30));
        for (int i = 0; i < 4; i++) {
            String name = "busy" + i;
            queue.enter("busy", 0, turn -> enter(turn, name));
        }
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("busy0", "busy1");
        assertThat(queue.queued()).isEqualTo(2);
        queue.enter("other", 0, turn -> enter(turn, "other"));
        assertThat(next()).isEqualTo("other");
        leave("other");
        assertThat(queue.running()).isEqualTo(2);
        leave("busy0");
        assertThat(next()).isEqualTo("busy2");
    }

    @Test
    void theQueueIsBoundedForAllAndForEach() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 3, 2, 1 << 30));
        queue.enter("a", 0, turn -> enter(turn, "runs"));
        queue.enter("a", 0, turn -> {});
        queue.enter("a", 0, turn -> {});
        assertThatThrownBy(() -> queue.enter("a", 0, turn -> {}))
                .isInstanceOfSatisfying(RequestProblem.class, problem -> {
                    assertThat(problem.code()).isEqualTo(ProblemCode.QUEUE_FULL);
                    assertThat(problem.retryAfter()).isNotNull();
                });
        QueueEntry.Work waiting = turn -> enter(turn, "b");
        queue.enter("b", 0, waiting);
        assertThatThrownBy(() -> queue.enter("c", 0, turn -> {})).isInstanceOf(RequestProblem.class);
        assertThat(queue.withdraw("b", waiting)).isTrue();
        assertThat(queue.withdraw("b", waiting)).isFalse();
        queue.enter("c", 0, turn -> {});
        queue.close();
        assertThatThrownBy(() -> queue.enter("d", 0, turn -> {}))
                .isInstanceOfSatisfying(
                        RequestProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo(ProblemCode.DRAINING));
    }

    @Test
    void nothingStartsWhenTheServiceStops() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 100, 100, 1 << 30));
        queue.enter("a", 0, turn -> enter(turn, "runs"));
        assertThat(next()).isEqualTo("runs");
        QueueEntry.Work first = turn -> enter(turn, "first");
        QueueEntry.Work second = turn -> enter(turn, "second");
        queue.enter("a", 0, first);
        queue.enter("b", 0, second);
        queue.close();
        leave("runs");
        assertThat(queue.running()).isZero();
        assertThat(queue.withdraw("a", first)).isTrue();
        assertThat(queue.running()).isZero();
        assertThat(queue.withdraw("b", second)).isTrue();
        assertThat(queue.queued()).isZero();
    }

    @Test
    void whoIsGivenUpWaitsForNoSlot() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 100, 100, 1 << 30));
        CountDownLatch admitted = new CountDownLatch(1);
        queue.enter("a", 0, turn -> {
            turn.rest();
            turns.put("a", turn);
            started.add("rests");
            try {
                admitted.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            turn.resume();
            turn.leave();
            started.add("left");
        });
        assertThat(next()).isEqualTo("rests");
        queue.enter("b", 0, turn -> enter(turn, "b"));
        assertThat(next()).isEqualTo("b");
        admitted.countDown();
        await().until(() -> queue.waitingOf("a") == 1);
        Objects.requireNonNull(turns.get("a")).withdraw();
        assertThat(next()).isEqualTo("left");
        assertThat(queue.queued()).isZero();
        assertThat(queue.running()).isEqualTo(1);
        leave("b");
        assertThat(queue.running()).isZero();
    }

    @Test
    void oneOwnerHearsNothingOfTheOthersInTheQueue() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 37, 37, 1 << 30));
        queue.enter("a", 0, turn -> enter(turn, "runs"));
        for (int i = 0; i < 36; i++) {
            queue.enter("a", 0, turn -> {});
        }
        queue.enter("b", 0, turn -> {});
        assertThatThrownBy(() -> queue.enter("b", 0, turn -> {}))
                .isInstanceOfSatisfying(
                        RequestProblem.class,
                        problem -> assertThat(problem.detail()).startsWith("1 jobs of b wait"));
    }

    @Test
    void whoWaitsElsewhereLeavesHisSlotToOthers() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 100, 100, 1 << 30));
        queue.enter("a", 0, turn -> {
            turn.rest();
            enter(turn, "a");
        });
        assertThat(next()).isEqualTo("a");
        assertThat(queue.running()).isZero();
        assertThat(queue.queued()).isEqualTo(1);
        queue.enter("b", 0, turn -> enter(turn, "b"));
        assertThat(next()).isEqualTo("b");
    }

    /** A thread that is interrupted meanwhile has its slot when it goes on, and still knows that it was interrupted. */
    @Test
    void whoIsInterruptedWaitsForHisSlotAllTheSame() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 100, 100, 1 << 30));
        CountDownLatch mayGoOn = new CountDownLatch(1);
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        queue.enter("a", 0, turn -> {
            turn.rest();
            waiter.complete(Thread.currentThread());
            enter(turn, "rests");
            awaited(mayGoOn);
            Thread.currentThread().interrupt();
            turn.resume();
            enter(turn, "in a slot: " + turn.inSlot() + ", interrupted: " + Thread.interrupted());
        });
        assertThat(next()).isEqualTo("rests");
        queue.enter("b", 0, turn -> enter(turn, "b"));
        assertThat(next()).isEqualTo("b");
        mayGoOn.countDown();
        await().until(() -> queue.waitingOf("a") == 1);
        await().until(() -> waiter.join().getState() == Thread.State.WAITING || !started.isEmpty());
        leave("b");
        assertThat(next()).isEqualTo("in a slot: true, interrupted: true");
    }

    /** It comes before its owner's other jobs, and takes turns with those of others. */
    @Test
    void whoComesBackIsTheFirstOfHisOwner() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 100, 100, 1 << 30));
        CountDownLatch mayGoOn = new CountDownLatch(1);
        queue.enter("a", 0, turn -> {
            turn.rest();
            enter(turn, "rests");
            awaited(mayGoOn);
            turn.resume();
            enter(turn, "goes on");
        });
        assertThat(next()).isEqualTo("rests");
        queue.enter("b", 0, turn -> enter(turn, "b1"));
        assertThat(next()).isEqualTo("b1");
        queue.enter("a", 0, turn -> enter(turn, "a2"));
        queue.enter("b", 0, turn -> enter(turn, "b2"));
        mayGoOn.countDown();
        await().until(() -> queue.queued() == 3);
        await().until(() -> queue.waitingOf("a") == 2);
        leave("b1");
        assertThat(next()).isEqualTo("goes on");
        leave("goes on");
        assertThat(next()).isEqualTo("b2");
        leave("b2");
        assertThat(next()).isEqualTo("a2");
        leave("a2");
        assertThat(queue.running()).isZero();
        assertThat(queue.queued()).isZero();
    }

    /** Those that wait elsewhere count: one owner's do not grow without bound. */
    @Test
    void whoRestsIsInTheQueue() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(1, 1, 100, 2, 1 << 30));
        for (int i = 0; i < 2; i++) {
            String name = "rests" + i;
            queue.enter("a", 0, turn -> {
                turn.rest();
                enter(turn, name);
            });
            assertThat(next()).isEqualTo(name);
        }
        assertThatThrownBy(() -> queue.enter("a", 0, turn -> {})).isInstanceOf(RequestProblem.class);
        leave("rests0"); // refused where it waited
        queue.enter("a", 0, turn -> enter(turn, "runs"));
        assertThat(next()).isEqualTo("runs");
        assertThat(queue.queued()).isEqualTo(1);
    }

    @Test
    void theMemoryOfThoseThatRunIsBounded() throws Exception {
        JobQueue queue = new JobQueue(new JobQueue.Bounds(100, 100, 100, 100, 400));
        queue.enter("a", 200, turn -> enter(turn, "a1"));
        queue.enter("a", 100, turn -> enter(turn, "a2"));
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("a1", "a2");
        queue.enter("a", 1, turn -> enter(turn, "a3")); // above three quarters
        queue.enter("b", 101, turn -> enter(turn, "b1")); // above all
        queue.enter("c", 1, turn -> enter(turn, "c1")); // would keep b waiting
        assertThat(queue.queued()).isEqualTo(3);
        assertThat(queue.memory()).isEqualTo(300);
        leave("a2");
        assertThat(List.of(next(), next(), next())).containsExactlyInAnyOrder("a3", "b1", "c1");
        assertThat(queue.memory()).isEqualTo(303);
        for (String name : List.of("a1", "a3", "b1", "c1")) {
            leave(name);
        }
        queue.enter("a", 4_000, turn -> enter(turn, "alone"));
        assertThat(next()).isEqualTo("alone");
        queue.enter("b", 0, turn -> enter(turn, "b2"));
        assertThat(queue.queued()).isEqualTo(1);
        leave("alone");
        assertThat(next()).isEqualTo("b2");
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
