package dev.cordon.engine.stream;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.job.Stdin;
import dev.cordon.plan.CommandPlan;
import dev.cordon.result.Output;
import dev.cordon.result.OutputListener;
import dev.cordon.result.OutputListener.Source;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The standard streams of one command: pipes, or one terminal. Output goes to a listener or, when the job asked for streams, to the reader
 * of each; a slow one of either kind makes the command wait and nothing else. Runs on the reactor's thread but where it says otherwise.
 */
public final class CommandStreams {
    /** Hears of the streams, on the reactor's thread. */
    public interface Events {
        /** The output limit of a stream was passed. */
        void overLimit();

        /** No output will come any more. */
        void finished();
    }

    private static final Logger LOG = LoggerFactory.getLogger(CommandStreams.class);

    private final EngineContext context;
    private final CommandPlan command;
    private final Events events;
    private final OutputDelivery delivery;
    private final Map<Source, OutputTap> taps = new EnumMap<>(Source.class);
    private final Map<Source, OutputReader> readers = new EnumMap<>(Source.class);
    private final List<Fd> theirs = new ArrayList<>();
    private final @Nullable InputFeeder input;
    private boolean taken;
    private final AtomicInteger open = new AtomicInteger();

    public CommandStreams(EngineContext context, CommandPlan command, OutputListener listener, Events events) {
        this.context = context;
        this.command = command;
        this.events = events;
        this.delivery = new OutputDelivery(listener, () -> context.reactor().execute(() -> flow(true)));
        this.input = command.stdin() instanceof Stdin.Empty ? null : new InputFeeder(context, terminal());
        if (command.streaming()) {
            for (Source source : Source.values()) {
                taps.put(source, new OutputTap(() -> context.reactor().execute(() -> flow(source, true))));
            }
        }
    }

    private boolean terminal() {
        return command.terminal() != null;
    }

    /** Makes the pipes. On any thread, before anything can be heard. */
    public void open() throws ErrnoException {
        if (terminal()) {
            return; // it is made inside and comes when the command has started
        }
        List<Fd> opened = new ArrayList<>();
        try {
            if (input != null) {
                Pipe stdin = keep(opened, context.kernel().pipe());
                theirs.add(stdin.source());
                input.attach(stdin.sink());
            }
            open.set(Source.values().length);
            for (Source source : Source.values()) {
                Pipe pipe = keep(opened, context.kernel().pipe());
                theirs.add(pipe.sink());
                readers.put(source, reader(source, pipe.source()));
            }
        } catch (ErrnoException e) {
            // On the reactor's thread, which may be reading from them.
            context.reactor().execute(() -> {
                abandon();
                opened.forEach(Fd::close);
            });
            throw e;
        }
    }

    private static Pipe keep(List<Fd> opened, Pipe pipe) {
        opened.add(pipe.source());
        opened.add(pipe.sink());
        return pipe;
    }

    private OutputReader reader(Source source, Fd fd) throws ErrnoException {
        return new OutputReader(context, fd, command.outputBytes(), command.streaming(), new OutputReader.Events() {
            @Override
            public void output(byte[] bytes) {
                OutputTap tap = taps.get(source);
                if (tap != null) {
                    if (!tap.offer(bytes)) {
                        flow(source, false);
                    }
                } else if (!delivery.offer(source, bytes)) {
                    flow(false);
                }
            }

            @Override
            public void overLimit() {
                events.overLimit();
            }

            @Override
            public void finished() {
                OutputTap tap = taps.get(source);
                if (tap != null) {
                    tap.end();
                }
                if (open.decrementAndGet() == 0) {
                    events.finished();
                }
            }
        });
    }

    /** The command's ends, to be sent with it; null when the sandbox was gone before. On any thread. */
    public synchronized @Nullable List<Fd> takeTheirs() {
        if (taken) {
            return null;
        }
        taken = true;
        List<Fd> all = new ArrayList<>(theirs);
        theirs.clear();
        return all;
    }

    private void dropTheirs() {
        List<Fd> unsent = takeTheirs();
        if (unsent != null) {
            unsent.forEach(Fd::close);
        }
    }

    /** The terminal that the command was given. */
    public void terminal(Fd master) {
        try {
            Fd writable = input == null ? null : context.kernel().duplicate(master);
            open.set(1);
            readers.put(Source.STDOUT, reader(Source.STDOUT, master));
            if (input != null && writable != null) {
                input.attach(writable);
            }
        } catch (ErrnoException e) {
            LOG.error("a terminal cannot be used", e);
            master.close();
            open.set(0);
        }
    }

    /** Begins to write standard input. On any thread. */
    public void feed(Stdin source) {
        if (input != null && !(source instanceof Stdin.Fed)) {
            input.start(source);
        }
    }

    private void flow(boolean wanted) {
        readers.values().forEach(reader -> reader.flow(wanted));
    }

    private void flow(Source source, boolean wanted) {
        OutputReader reader = readers.get(source);
        if (reader != null) {
            reader.flow(wanted);
        }
    }

    /** The command has ended: nobody reads its input, and what it wrote is in the pipes. */
    public void ended() {
        dropTheirs();
        if (input != null) {
            input.stop();
        }
        List.copyOf(readers.values()).forEach(OutputReader::drain);
    }

    /** Processes that the command left hold its streams: they are not waited for. */
    public void detach(Consumer<OutputReader> stillRead) {
        for (OutputReader reader : List.copyOf(readers.values())) {
            if (!reader.done()) {
                reader.detach();
                if (terminal()) {
                    reader.abandon(); // who still holds a terminal is hung up on
                } else {
                    stillRead.accept(reader);
                }
            }
        }
    }

    /** Gives up on everything. */
    public void abandon() {
        dropTheirs();
        if (input != null) {
            input.stop();
        }
        readers.values().forEach(OutputReader::abandon);
        taps.values().forEach(OutputTap::end);
        open.set(0);
    }

    /** Whether no output will come any more. */
    public boolean over() {
        return open.get() == 0;
    }

    public Output output(Source source) {
        OutputReader reader = readers.get(source);
        return reader == null ? Output.empty() : reader.output();
    }

    /** The future completes when the listener has heard everything. On any thread. */
    public CompletableFuture<Void> delivered() {
        taps.values().forEach(OutputTap::end);
        return delivery.close();
    }

    public OutputStream stdin() {
        return input != null && command.stdin() instanceof Stdin.Fed ? input.stream() : InputFeeder.closed();
    }

    public InputStream stream(Source source) {
        return OutputTap.stream(taps.get(source));
    }
}
