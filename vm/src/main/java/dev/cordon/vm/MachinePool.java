package dev.cordon.vm;

import dev.cordon.vm.qemu.MachineShape;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restored machines that wait, so that whoever asks need not. A machine is handed out once and never comes back. The pool holds at most so
 * many, of the kinds that were asked for last, and one thread refills it.
 */
final class MachinePool implements AutoCloseable {
    /** Makes a machine. */
    @FunctionalInterface
    interface Source {
        Machine make(MachineShape shape, TemplatePreparation preparation) throws MachineFailed;
    }

    /** Machines that can stand for each other. */
    private record Kind(MachineShape shape, String preparation) {}

    private static final Logger LOG = LoggerFactory.getLogger(MachinePool.class);

    /** The job that took a machine has the processors to itself for so long. */
    private static final Duration COURTESY = Duration.ofMillis(400);

    private final Source source;
    private final int size;
    private final Map<Kind, Deque<Machine>> waiting = new HashMap<>();
    private boolean filling;
    private boolean closed;

    MachinePool(Source source, int size) {
        this.source = source;
        this.size = size;
    }

    /** A machine that waits and still lives, or a new one. */
    Machine take(MachineShape shape, TemplatePreparation preparation) throws MachineFailed {
        Machine found = poll(new Kind(shape, preparation.key()));
        if (size > 0) {
            refill(shape, preparation);
        }
        return found != null ? found : source.make(shape, preparation);
    }

    private synchronized @Nullable Machine poll(Kind kind) {
        Deque<Machine> machines = waiting.getOrDefault(kind, new ArrayDeque<>());
        for (Machine machine = machines.poll(); machine != null; machine = machines.poll()) {
            if (!machine.ended().isDone()) {
                return machine;
            }
            machine.close();
        }
        return null;
    }

    private synchronized void refill(MachineShape shape, TemplatePreparation preparation) {
        if (!filling && !closed) {
            filling = true;
            CompletableFuture.delayedExecutor(COURTESY.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> Thread.ofPlatform()
                            .name("cordon-machine-pool")
                            .daemon()
                            .start(() -> fill(shape, preparation)));
        }
    }

    private void fill(MachineShape shape, TemplatePreparation preparation) {
        Kind kind = new Kind(shape, preparation.key());
        try {
            while (room(kind)) {
                add(kind, source.make(shape, preparation));
            }
        } catch (MachineFailed e) {
            // The next who asks makes its own and gets the reason.
            LOG.warn("no machine could be made ahead: {}", e.problem());
        } finally {
            synchronized (this) {
                filling = false;
            }
        }
    }

    /** Whether there is room, if need be by ending a machine of another kind. */
    private boolean room(Kind kind) {
        List<Machine> surplus = new ArrayList<>();
        synchronized (this) {
            if (closed
                    || waiting.computeIfAbsent(kind, made -> new ArrayDeque<>()).size() >= size) {
                return false;
            }
            if (waiting.values().stream().mapToInt(Deque::size).sum() >= size) {
                waiting.forEach((other, machines) -> {
                    if (!other.equals(kind) && surplus.isEmpty() && !machines.isEmpty()) {
                        surplus.add(machines.remove());
                    }
                });
            }
        }
        surplus.forEach(Machine::close);
        return true;
    }

    private void add(Kind kind, Machine machine) {
        synchronized (this) {
            if (!closed) {
                waiting.computeIfAbsent(kind, made -> new ArrayDeque<>()).add(machine);
                return;
            }
        }
        machine.close();
    }

    @Override
    public void close() {
        List<Machine> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            waiting.values().forEach(left::addAll);
            waiting.clear();
        }
        left.forEach(Machine::close);
    }
}
