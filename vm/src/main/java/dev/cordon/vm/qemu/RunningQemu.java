package dev.cordon.vm.qemu;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.SocketPair;
import dev.cordon.vm.time.RetryBackoff;
import dev.cordon.vm.time.WaitDeadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One QEMU and everything that connects us with it. Whoever starts it closes it, which kills it; it may be closed at any time, from any
 * thread.
 */
public final class RunningQemu implements AutoCloseable {
    private static final Duration END = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final int CONSOLE_LINES = 20;
    private static final RetryBackoff POLL = new RetryBackoff(Duration.ofMillis(1), Duration.ofMillis(1));

    private final Kernel kernel;
    private final Fd channel;
    private final QmpLink monitor;
    private final GuestConsole console = new GuestConsole();
    private final GuestConsole messages = new GuestConsole();
    private final QemuProcess process;
    private final CompletableFuture<MachineEnd> ended;
    private volatile boolean closed;

    private RunningQemu(Kernel kernel, Ends ours, QemuLauncher launcher, QemuLaunch launch) throws IOException {
        this.kernel = kernel;
        this.channel = ours.channel;
        this.monitor = new QmpLink(kernel, ours.monitor);
        MachineThread thread = new MachineThread(kernel);
        thread.attend(ours.monitor, monitor::feed, () -> monitor.end("QEMU closed it"));
        thread.attend(ours.console, console::append, () -> {});
        CompletableFuture<Boolean> said = new CompletableFuture<>();
        thread.attend(ours.messages, messages::append, () -> said.complete(true));
        try {
            process = launcher.launch(launch);
        } catch (IOException | RuntimeException e) {
            thread.abandon();
            channel.close();
            throw e;
        }
        thread.start();
        // What it said last may still be on its way.
        ended = process.exited()
                .exceptionally(Throwable::toString)
                .thenCombine(
                        said.completeOnTimeout(false, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS),
                        (how, _) -> end(how));
    }

    /** Our ends of the wires. */
    private record Ends(Fd monitor, Fd channel, Fd console, Fd messages) {}

    /**
     * Starts QEMU.
     *
     * @param ram     the guest's memory; taken over
     * @param root    the root image, or nothing; taken over
     * @param command makes the command line for the other ends of our wires
     */
    public static RunningQemu start(
            Kernel kernel,
            QemuLauncher launcher,
            Fd ram,
            List<Fd> root,
            Function<QemuCommand.Wires, QemuLaunch> command)
            throws IOException {
        List<Fd> opened = new ArrayList<>(root);
        opened.add(ram);
        try {
            SocketPair monitor = kernel.stream();
            opened.addAll(List.of(monitor.ours(), monitor.theirs()));
            SocketPair agent = kernel.stream();
            opened.addAll(List.of(agent.ours(), agent.theirs()));
            SocketPair serial = kernel.stream();
            opened.addAll(List.of(serial.ours(), serial.theirs()));
            Pipe messages = kernel.pipe();
            opened.addAll(List.of(messages.source(), messages.sink()));
            kernel.nonBlocking(messages.source());
            QemuLaunch launch = command.apply(new QemuCommand.Wires(
                    monitor.theirs(), agent.theirs(), messages.sink(), serial.theirs(), ram, root));
            opened.clear();
            opened.addAll(launch.descriptors());
            Ends ends = new Ends(monitor.ours(), agent.ours(), serial.ours(), messages.source());
            return new RunningQemu(kernel, ends, launcher, launch);
        } catch (IOException | RuntimeException e) {
            opened.forEach(Fd::close);
            throw e;
        }
    }

    /** The stream to the guest's agent, non-blocking. It belongs to this object. */
    public Fd channel() {
        return channel;
    }

    /** Enters the monitor's command mode: QEMU is there and has taken its arguments. */
    public void begin(WaitDeadline deadline) throws IOException {
        monitor.begin(deadline);
    }

    /** Waits until the guest is up. */
    public void awaitHello(WaitDeadline deadline) throws IOException {
        GuestHello hello = GuestHello.await(kernel, channel, deadline);
        if (!hello.up()) {
            throw new IOException("the guest could not come up: " + hello.detail());
        }
    }

    /** Waits until the guest says anything at all, also that it lacks a root. */
    public void awaitWord(WaitDeadline deadline) throws IOException {
        GuestHello.await(kernel, channel, deadline);
    }

    /** Waits until something is on the serial console. */
    public void awaitConsole(WaitDeadline deadline) throws IOException {
        RetryBackoff.until(
                deadline.left(), () -> ended.isDone() || !console.text().isBlank());
        if (console.text().isBlank()) {
            throw new IOException(ended.isDone() ? "QEMU ended" : "the firmware said nothing in time");
        }
    }

    /** Stops the guest and writes the state of its devices; its memory is in the file that backs it. */
    public void save(Fd state, WaitDeadline deadline) throws IOException {
        monitor.execute("stop", "{}", deadline);
        ignoreShared(deadline);
        monitor.execute("getfd", "{\"fdname\":\"state\"}", List.of(state), deadline);
        monitor.execute("migrate", "{\"uri\":\"fd:state\"}", deadline);
        while (true) {
            Map<String, @Nullable Object> progress = monitor.execute("query-migrate", "{}", deadline);
            String status = String.valueOf(progress.get("status"));
            if (status.equals("completed")) {
                return;
            }
            if (status.equals("failed") || status.equals("cancelled")) {
                throw new IOException("QEMU could not save the machine: " + progress.get("error-desc"));
            }
            pause(deadline, "saved");
        }
    }

    /** Loads the state of the devices and lets the guest run on. */
    public void load(Fd state, WaitDeadline deadline) throws IOException {
        ignoreShared(deadline);
        monitor.execute("getfd", "{\"fdname\":\"state\"}", List.of(state), deadline);
        monitor.execute("migrate-incoming", "{\"uri\":\"fd:state\"}", deadline);
        while (String.valueOf(monitor.execute("query-status", "{}", deadline).get("status"))
                .equals("inmigrate")) {
            pause(deadline, "loaded");
        }
        monitor.execute("cont", "{}", deadline);
    }

    private void ignoreShared(WaitDeadline deadline) throws IOException {
        monitor.execute(
                "migrate-set-capabilities",
                "{\"capabilities\":[{\"capability\":\"x-ignore-shared\",\"state\":true}]}",
                deadline);
    }

    private static void pause(WaitDeadline deadline, String what) throws IOException {
        if (deadline.passed()) {
            throw new IOException("the machine was not " + what + " in time");
        }
        POLL.pause();
    }

    /** The last lines of the guest's console, and of QEMU's own messages. */
    public String console() {
        return (console.tail(CONSOLE_LINES) + "\n" + messages.tail(CONSOLE_LINES)).strip();
    }

    /** QEMU's own messages. */
    public String messages() {
        return messages.tail(CONSOLE_LINES);
    }

    /** Completes when QEMU is gone. */
    public CompletableFuture<MachineEnd> ended() {
        return ended;
    }

    private MachineEnd end(String how) {
        MachineEnd.Kind kind = MachineEnd.Kind.DIED;
        if (closed) {
            kind = MachineEnd.Kind.CLOSED;
        } else if (console.text().contains("Kernel panic")) {
            kind = MachineEnd.Kind.PANIC;
        } else if (!monitor.shutdown().isEmpty()) {
            kind = MachineEnd.Kind.SHUT_DOWN;
        }
        String detail = monitor.shutdown().isEmpty() ? how : monitor.shutdown() + ", " + how;
        monitor.end(detail);
        return new MachineEnd(kind, detail, console());
    }

    /** Kills QEMU and waits, for a while, until nothing of it is left. */
    @Override
    public void close() {
        closed = true;
        process.kill();
        try {
            ended.get(END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // It is killed; whoever watches processes reports what cannot die.
            monitor.end("QEMU does not end");
        } finally {
            channel.close();
        }
    }
}
