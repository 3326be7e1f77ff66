package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.wire.reply.AddressedReply;
import dev.cordon.bindings.wire.reply.Closed;
import dev.cordon.bindings.wire.reply.EndCause;
import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.bindings.wire.reply.Reply;
import dev.cordon.bindings.wire.request.Exec;
import dev.cordon.bindings.wire.request.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The ends that a guest tells. Those that end the sandbox are judged by its counters, which come with the guest's word that it is gone:
 * they are kept until then. A command ends once and the sandbox closes once, so a guest cannot make the host keep more than it was asked
 * to run. Used on the reactor's thread.
 */
public final class EndMessages {
    private final Set<Integer> running = new HashSet<>();
    private final List<AddressedReply> kept = new ArrayList<>();
    private boolean closed;

    /** A request that goes to the guest. */
    public void sent(Request request, int id) {
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
    public boolean keep(AddressedReply envelope) throws HostileGuest {
        Reply reply = envelope.reply();
        boolean last = switch (reply) {
            case Exited exited -> {
                if (!running.remove(envelope.id())) {
                    throw new HostileGuest("EXITED is about a command that does not run");
                }
                yield exited.cause() == EndCause.INIT_LOST;
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
    public List<AddressedReply> kept() {
        return List.copyOf(kept);
    }
}
