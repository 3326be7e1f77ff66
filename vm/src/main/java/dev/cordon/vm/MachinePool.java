package dev.cordon.vm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restored machines that wait, so that whoever asks need not. A machine is handed out once and never comes back. The pool holds at most so
 * many, of the shapes that were asked for last, and one thread refills it.
 */
final class MachinePool implements AutoCloseable {
    /** Makes a machine. */
    @FunctionalInterface
    interface Source {
        Machine make(MachineShape shape) throws MachineFailed;
    }

    private static final Logger LOG = LoggerFactory.getLogger(MachinePool.class);

    private final Source source;
    private final int size;
    private final Map<MachineShape, Deque<Machine>> waiting = new HashMap<>();
    private boolean filling;
    private boolean closed;

    MachinePool(Source source, int size) {
        this.source = source;
        this.size = size;
    }

    /** A machine that waits and still lives, or a new one. */
    Machine take(MachineShape shape) throws MachineFailed {
        Machine found = poll(shape);
        if (size > 0) {
            refill(shape);
        }
        return found != null ? found : source.make(shape);
    }

    private synchronized @Nullable Machine poll(MachineShape shape) {
        Deque<Machine> machines = waiting.getOrDefault(shape, new ArrayDeque<>());
        for (Machine machine = machines.poll(); machine != null; machine = machines.poll()) {
            if (!machine.ended().isDone()) {
                return machine;
            }
            machine.close();
        }
        return null;
    }

    private synchronized void refill(MachineShape shape) {
        if (!filling && !closed) {
            filling = true;
            Thread.ofPlatform().name("cordon-machine-pool").daemon().start(() -> fill(shape));
        }
    }

    private void fill(MachineShape shape) {
        try {
            while (room(shape)) {
                add(source.make(shape));
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

    /** Whether there is room, if need be by ending a machine of another shape. */
    private boolean room(MachineShape shape) {
        List<Machine> surplus = new ArrayList<>();
        synchronized (this) {
            if (closed
                    || waiting.computeIfAbsent(shape, made -> new ArrayDeque<>())
                                    .size()
                            >= size) {
                return false;
            }
            if (waiting.values().stream().mapToInt(Deque::size).sum() >= size) {
                waiting.forEach((other, machines) -> {
                    if (!other.equals(shape) && surplus.isEmpty() && !machines.isEmpty()) {
                        surplus.add(machines.remove());
                    }
                });
            }
        }
        surplus.forEach(Machine::close);
        return true;
    }

    private void add(Machine machine) {
        synchronized (this) {
            if (!closed) {
                waiting.computeIfAbsent(machine.shape(), made -> new ArrayDeque<>())
                        .add(machine);
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
