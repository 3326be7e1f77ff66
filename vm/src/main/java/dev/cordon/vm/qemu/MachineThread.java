package dev.cordon.vm.qemu;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.value.ErrnoException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The thread of one machine: takes what QEMU and the guest's console say for as long as they live, so that neither ever waits for us. Ends
 * when QEMU has closed everything, and owns the descriptors.
 */
final class MachineThread implements Runnable {
    private static final int BUFFER = 16 << 10;

    /** A stream that is read to its end. */
    private record Source(Fd fd, Consumer<ByteBuffer> sink, Runnable end) {}

    private final Kernel kernel;
    private final PollSet poll;
    private final List<Source> sources = new ArrayList<>();
    private final Thread thread;

    MachineThread(Kernel kernel) throws ErrnoException {
        this.kernel = kernel;
        this.poll = kernel.pollSet();
        this.thread = Thread.ofPlatform().name("cordon-machine").daemon().unstarted(this);
    }

    /** Adds a non-blocking stream, before the start. */
    void attend(Fd fd, Consumer<ByteBuffer> sink, Runnable end) throws ErrnoException {
        sources.add(new Source(fd, sink, end));
        poll.set(fd, PollSet.READABLE, sources.size() - 1L);
    }

    void start() {
        thread.start();
    }

    /** Gives everything back when it was never started. */
    void abandon() {
        sources.forEach(source -> source.fd().close());
        poll.close();
    }

    @Override
    public void run() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        try {
            while (sources.stream().anyMatch(source -> source.fd().isOpen())) {
                poll.await(-1, (token, events) -> serve(sources.get((int) token), buffer));
            }
        } catch (ErrnoException e) {
            sources.forEach(source -> source.end().run());
        } finally {
            abandon();
        }
    }

    private void serve(Source source, ByteBuffer buffer) {
        if (!source.fd().isOpen()) {
            return;
        }
        try {
            buffer.clear();
            int count = kernel.read(source.fd(), buffer);
            if (count > 0) {
                source.sink().accept(buffer.flip());
            } else if (count == 0) {
                end(source);
            }
        } catch (ErrnoException e) {
            end(source);
        }
    }

    /**
     * Told before it is closed, so that whoever writes to it hears why that is over. Closing takes the descriptor out of the poll set: nobody
     * else holds this open file.
     */
    private static void end(Source source) {
        source.end().run();
        source.fd().close();
    }
}
