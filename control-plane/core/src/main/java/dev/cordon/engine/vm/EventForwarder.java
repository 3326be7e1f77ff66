package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.wire.reply.Reply;
import dev.cordon.engine.supervisor.SupervisorEvents;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes on what a link hears: a sandbox needs its ground, the ground its link, and the link somebody who hears. */
final class EventForwarder implements SupervisorEvents {
    private volatile @Nullable SupervisorEvents to;

    void to(SupervisorEvents events) {
        to = events;
    }

    @Override
    public void received(int id, Reply reply, List<Fd> fds) {
        SupervisorEvents events = to;
        if (events == null) {
            fds.forEach(Fd::close);
        } else {
            events.received(id, reply, fds);
        }
    }

    @Override
    public void gone() {
        SupervisorEvents events = to;
        if (events != null) {
            events.gone();
        }
    }
}
