package dev.cordon.engine.sandbox;

import dev.cordon.engine.OpenSandbox;
import dev.cordon.engine.SandboxException;
import dev.cordon.result.Outcome;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The commands of a sandbox that have not ended, by the ids that the supervisor uses. */
final class CommandTable {
    private final Map<Integer, LiveCommand> commands = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();

    /** An id that no request of this sandbox has; they begin again after two thousand million. */
    int nextId() {
        return ids.updateAndGet(id -> id == Integer.MAX_VALUE ? 1 : id + 1);
    }

    /**
     * Takes a command in, which knows its id before anybody finds it here: its end may come from another thread at once.
     *
     * @throws SandboxException when as many run as can
     */
    synchronized void admit(LiveCommand command) throws SandboxException {
        if (commands.size() >= OpenSandbox.MOST_COMMANDS) {
            throw new SandboxException(new Outcome.HostUnsupported(
                    "the sandbox runs " + OpenSandbox.MOST_COMMANDS + " commands, the most at one time",
                    "try again when one of them has ended, or open another sandbox"));
        }
        int id = nextId();
        command.admitted(id);
        commands.put(id, command);
    }

    @Nullable
    LiveCommand get(int id) {
        return commands.get(id);
    }

    void remove(int id) {
        commands.remove(id);
    }

    int size() {
        return commands.size();
    }

    boolean isEmpty() {
        return commands.isEmpty();
    }

    void forEach(Consumer<LiveCommand> action) {
        commands.values().forEach(action);
    }
}
