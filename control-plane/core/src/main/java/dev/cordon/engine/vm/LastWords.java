package dev.cordon.engine.vm;

import dev.cordon.bindings.wire.Cause;
import dev.cordon.bindings.wire.Closed;
import dev.cordon.bindings.wire.Envelope;
import dev.cordon.bindings.wire.Exec;
import dev.cordon.bindings.wire.Exited;
import dev.cordon.bindings.wire.Reply;
import dev.cordon.bindings.wire.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The ends that a guest tells. Those that end the sandbox are judged by its counters, which come with the guest's word that it is gone:
 * they are kept until then. A command ends once and the sandbox closes once, so a guest cannot make the host keep more than it was asked
 * to run. Used on the reactor's thread.
 */
final class LastWords {
    private final Set<Integer> running = new HashSet<>();
    private final List<Envelope> kept = new ArrayList<>();
    private boolean closed;

    /** A request that goes to the guest. */
    void sent(Request request, int id) {
        if (request instanceof Exec) {
            running.add(id);
        }
    }

    /**
     * Takes note of what the guest says.
     *
     * @return whether it is kept, and is not to be told yet
     * @throws HostileGuest when it ends what has ended, or was never begun
     */
    boolean keep(Envelope envelope) throws HostileGuest {
        Reply reply = envelope.reply();
        boolean last = switch (reply) {
            case Exited exited -> {
                if (!running.remove(envelope.id())) {
                    throw new HostileGuest("EXITED is about a command that does not run");
                }
                yield exited.cause() == Cause.INIT_LOST;
            }
            case Closed ignored -> {
                if (closed) {
                    throw new HostileGuest("the sandbox closed twice");
                }
                closed = true;
                yield true;
            }
            default -> false;
        };
        if (last) {
            kept.add(envelope);
        }
        return last;
    }

    /** What was kept, in its order. */
    List<Envelope> kept() {
        return List.copyOf(kept);
    }
}
