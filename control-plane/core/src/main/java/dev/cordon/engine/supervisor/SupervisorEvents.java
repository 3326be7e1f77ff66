package dev.cordon.engine.supervisor;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.reply.Reply;
import java.util.List;

/** Hears what a supervisor says, on the reactor's thread. */
public interface SupervisorEvents {
    /**
     * A message.
     *
     * @param id    the command or request it is about; 0: the sandbox
     * @param reply the message
     * @param fds   descriptors that came with it, the receiver's own
     */
    void received(int id, Reply reply, List<Fd> fds);

    /** The supervisor has ended and nothing of the sandbox is left; the last call. */
    void gone();
}
