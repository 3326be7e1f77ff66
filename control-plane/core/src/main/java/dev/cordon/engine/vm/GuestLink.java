package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.Close;
import dev.cordon.bindings.wire.request.Request;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileEndpoint;
import dev.cordon.engine.stream.EngineContext;
import dev.cordon.engine.supervisor.SandboxLink;
import dev.cordon.engine.supervisor.SupervisorEvents;
import dev.cordon.engine.vm.frame.DescriptorExchange;
import dev.cordon.engine.vm.frame.EndMessages;
import dev.cordon.engine.vm.frame.FrameFields;
import dev.cordon.engine.vm.frame.GuestFrame;
import dev.cordon.engine.vm.frame.GuestFrames;
import dev.cordon.engine.vm.frame.GuestListing;
import dev.cordon.engine.vm.frame.GuestMessage;
import dev.cordon.engine.vm.frame.GuestPort;
import dev.cordon.engine.vm.frame.GuestStreams;
import dev.cordon.engine.vm.frame.GuestUsage;
import dev.cordon.engine.vm.frame.HostileGuest;
import dev.cordon.engine.vm.frame.OpenQuestions;
import dev.cordon.engine.vm.frame.PlausibleNumbers;
import dev.cordon.result.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to a supervisor in a virtual machine. Descriptors become content and streams, and streams become descriptors, so that everything
 * above sees what it sees of a jail. The guest is taken for hostile: what no honest agent would say ends the machine. A machine that
 * keeps silent although it was asked is ended, too.
 */
final class GuestLink implements SandboxLink, GuestPort.Events {
    private static final Logger LOG = LoggerFactory.getLogger(GuestLink.class);
    private static final Duration FAREWELL = Duration.ofSeconds(2);
    private static final int FAILED_STRUCT = 8 + GuestFrame.TEXT_BYTES;

    /**
     * When a guest is given up.
     *
     * @param ask     how often a guest is asked whether it is there
     * @param silence how long it may keep silent when it was asked, or let a file's content stand still
     * @param closing how long it may take to end its sandbox
     */
    record Patience(Duration ask, Duration silence, Duration closing) {
        static final Patience USUAL =
                new Patience(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(10));
    }

    private final EngineContext context;
    private final LeasedMachine machine;
    private final Patience patience;
    private final GuestPort port;
    private final GuestStreams streams;
    private final DescriptorExchange exchange;
    private final OpenQuestions questions;
    private final EndMessages ends = new EndMessages();
    private @Nullable SupervisorEvents events;
    private volatile CgroupUsage usage = CgroupUsage.UNKNOWN;
    private volatile Outcome.@Nullable SetupFailed failure;
    private volatile boolean over;
    private volatile boolean gone;
    private boolean closing;
    private long heard = System.nanoTime();

    GuestLink(EngineContext context, LeasedMachine machine, Patience patience) {
        this.context = context;
        this.machine = machine;
        this.patience = patience;
        this.port = new GuestPort(context, machine.channel(), this);
        this.streams = new GuestStreams(context, port);
        this.exchange = new DescriptorExchange(port, streams);
        this.questions = new OpenQuestions(port);
    }

    /** Who hears of it; before it is listened to. */
    void report(SupervisorEvents to) {
        events = to;
    }

    private SupervisorEvents events() {
        return Objects.requireNonNull(events);
    }

    /** Makes the cgroup of the sandbox; before anything else is sent. */
    void ground(CgroupLimits limits) {
        CompletableFuture<Void> made = new CompletableFuture<>();
        var _ = made.exceptionally(problem -> {
            broken("the machine could not limit its sandbox: " + problem.getMessage());
            return null;
        });
        context.reactor().execute(() -> questions.ask(GuestFrames.ground(limits), made));
    }

    @Override
    public void listen() {
        context.reactor().execute(() -> {
            try {
                port.listen();
                watch();
            } catch (ErrnoException e) {
                broken("the channel to the machine: " + e.getMessage());
            }
        });
        var _ = machine.ended().thenAccept(how -> context.reactor().execute(() -> machineEnded(how)));
    }

    @Override
    public Optional<Outcome.SetupFailed> failure() {
        return Optional.ofNullable(failure);
    }

    // ---- to the guest ----

    @Override
    public void send(Request request, int id, List<Fd> fds) {
        try {
            List<byte[]> contents = DescriptorExchange.contents(request, fds);
            context.reactor().execute(() -> sendNow(request, id, fds, contents));
        } catch (IOException e) {
            fds.forEach(Fd::close);
            context.reactor().execute(() -> broken("content for the machine cannot be read: " + e.getMessage()));
        }
    }

    private void sendNow(Request request, int id, List<Fd> fds, List<byte[]> contents) {
        if (over || gone) {
            fds.forEach(Fd::close);
            return;
        }
        try {
            exchange.send(request, id, fds, contents);
            ends.sent(request, id);
            if (request instanceof Close) {
                expectEnd();
            }
        } catch (ErrnoException | IllegalArgumentException e) {
            broken("a message for the machine could not be made: " + e.getMessage());
        }
    }

    private void expectEnd() {
        if (!closing) {
            closing = true;
            context.reactor().schedule(patience.closing(), () -> {
                if (!gone && !over) {
                    broken("the machine did not end its sandbox within "
                            + patience.closing().toSeconds() + " s");
                }
            });
        }
    }

    @Override
    public CompletableFuture<Integer> written(int id) {
        return exchange.written(id)
                .copy()
                .orTimeout(patience.silence().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> {
                    givenUp("the machine did not say within "
                            + patience.silence().toSeconds() + " s whether a file is written");
                    return Errno.ETIMEDOUT;
                });
    }

    @Override
    public DirectoryListing listing(Fd directory, String path) {
        return new GuestListing(content(directory), path);
    }

    @Override
    public FileEndpoint content(Fd file) {
        return new FileEndpoint(context.kernel(), context.reactor(), file, patience.silence(), this::givenUp);
    }

    private void givenUp(String why) {
        context.reactor().execute(() -> broken(why));
    }

    /** What the sandbox has used; the last known when the machine is gone. */
    CompletableFuture<CgroupUsage> askUsage() {
        CompletableFuture<CgroupUsage> answer = new CompletableFuture<>();
        context.reactor().execute(() -> {
            if (over || gone || questions.ignored()) {
                answer.complete(usage);
            } else {
                questions.askUsage(answer);
            }
        });
        return answer;
    }

    CgroupUsage lastUsage() {
        return usage;
    }

    /** Whether {@link #lastUsage} is all that will be known. */
    boolean isSettled() {
        return over || gone;
    }

    /** Stops or resumes the sandbox's processes; fails with an {@link IOException} that says why not. */
    CompletableFuture<Void> freeze(boolean frozen) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        context.reactor().execute(() -> {
            if (over || gone) {
                answer.completeExceptionally(new IOException("the machine is gone"));
            } else if (questions.ignored()) {
                answer.completeExceptionally(new IOException("the machine answers nothing"));
            } else {
                questions.ask(GuestFrames.freeze(frozen), answer);
            }
        });
        return answer;
    }

    // ---- from the guest ----

    @Override
    public void frame(GuestFrame frame) throws HostileGuest {
        heard = System.nanoTime();
        switch (frame.type()) {
            case MESSAGE -> message(GuestMessage.decode(frame));
            case DATA, CREDIT, END -> streams.frame(frame);
            case USAGE -> {
                usage = GuestUsage.decode(frame);
                questions.answerUsage(usage);
            }
            case COUNTED -> usage = GuestUsage.decode(frame);
            case FROZEN, GROUNDED -> questions.answer(frame);
            case GONE -> supervisorGone(frame);
            case FAILED -> {
                FrameFields fields = frame.fields().exactly(FAILED_STRUCT);
                fields.takeInt();
                broken("the machine failed: " + fields.takeText(GuestFrame.TEXT_BYTES));
            }
            default -> throw new HostileGuest(frame.type() + " was not asked for");
        }
    }

    private void message(GuestMessage message) throws HostileGuest {
        if (gone) {
            throw new HostileGuest("a message came after the end of the sandbox");
        }
        PlausibleNumbers.check(message.envelope().reply());
        List<Fd> fds = exchange.receive(message);
        if (!ends.keep(message.envelope())) {
            events().received(message.envelope().id(), message.envelope().reply(), fds);
        }
    }

    // ---- the end ----

    /** The sandbox is over; its output may still be on the way. */
    private void supervisorGone(GuestFrame frame) throws HostileGuest {
        if (gone) {
            throw new HostileGuest("the sandbox ended twice");
        }
        usage = GuestUsage.decode(frame);
        gone = true;
        questions.settle(usage);
        ends.kept().forEach(word -> events().received(word.id(), word.reply(), List.of()));
        events().gone();
    }

    /** A machine that ends says why when it is gone; one that only hangs up is not waited for long. */
    @Override
    public void ended() {
        context.reactor().schedule(FAREWELL, () -> broken("the machine closed its channel"));
    }

    /** The machine is of no use any more. What waits for it is told when it is dead. */
    @Override
    public void broken(String why) {
        if (over) {
            return;
        }
        if (!gone || streams.count() > 0) {
            blame(why);
        }
        letGo();
        machine.kill();
    }

    private void letGo() {
        over = true;
        port.close();
        streams.abandon();
        questions.settle(usage);
    }

    private void blame(String why) {
        if (failure == null) {
            String console = machine.console();
            LOG.warn("{}{}", why, console.isEmpty() ? "" : "; its console ends with: " + console);
            failure = new Outcome.SetupFailed(
                    "machine", "", why, "run the job again; 'cordon doctor' tells whether machines run here");
        }
    }

    private void machineEnded(String how) {
        broken("the machine ended: " + how);
        if (!gone) {
            gone = true;
            events().gone();
        }
    }

    /** A guest that says nothing although it was asked is hung, or stopped. */
    private void watch() {
        context.reactor().schedule(patience.ask(), () -> {
            if (over || gone) {
                return;
            }
            if (System.nanoTime() - heard > patience.silence().toNanos()) {
                broken("the machine has not answered for " + patience.silence().toSeconds() + " s");
                return;
            }
            if (!questions.usageAsked()) {
                questions.askUsage(new CompletableFuture<>());
            }
            watch();
        });
    }

    /** Lets everything of the host's go, then ends the machine: its channel may not be closed while it is listened to. */
    void release() {
        context.reactor().execute(() -> {
            letGo();
            machine.kill();
        });
    }

    @Override
    public void abandon() {
        release();
    }

    @Override
    public void kill() {
        givenUp("the machine did not end its sandbox in time");
    }
}
