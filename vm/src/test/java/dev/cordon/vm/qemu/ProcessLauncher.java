package dev.cordon.vm.qemu;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.SpawnedProgram;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.WaitStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Starts QEMU as a plain process of this user, confined by nothing but its own filter. */
public final class ProcessLauncher implements QemuLauncher {
    private static final int SIGKILL = 9;

    private final Kernel kernel;

    /** A launcher. */
    public ProcessLauncher(Kernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public QemuProcess launch(QemuLaunch launch) throws IOException {
        try {
            Path program = Path.of(launch.arguments().getFirst());
            return new Running(kernel, kernel.start(program, launch.arguments(), launch.descriptors()));
        } finally {
            launch.close();
        }
    }

    /** The process, and the thread that waits for it. */
    private static final class Running implements QemuProcess {
        private final Kernel kernel;
        private final Fd handle;
        private final CompletableFuture<String> exited = new CompletableFuture<>();

        private Running(Kernel kernel, SpawnedProgram spawned) {
            this.kernel = kernel;
            this.handle = spawned.pidfd();
            Thread.ofPlatform().name("cordon-qemu-" + spawned.pid()).daemon().start(this::await);
        }

        private void await() {
            String how;
            try (PollSet poll = kernel.pollSet()) {
                poll.set(handle, PollSet.READABLE, 0);
                Optional<WaitStatus> status = kernel.reap(handle);
                while (status.isEmpty()) {
                    poll.await(-1, (token, events) -> {});
                    status = kernel.reap(handle);
                }
                how = status.get().toString();
            } catch (ErrnoException e) {
                how = e.toString();
            }
            synchronized (this) {
                handle.close();
            }
            exited.complete(how);
        }

        @Override
        public CompletableFuture<String> exited() {
            return exited;
        }

        @Override
        public synchronized void kill() {
            if (!handle.isOpen()) {
                return;
            }
            try {
                kernel.pidfdSendSignal(handle, SIGKILL);
            } catch (ErrnoException e) {
                exited.complete("cannot be killed: " + e.getMessage());
            }
        }
    }
}
