package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.box.BoxConnection;
import dev.cordon.cli.box.BoxFrame;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandEnding;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.cli.terminal.TerminalJob;
import dev.cordon.config.Config;
import dev.cordon.job.Terminal;
import dev.cordon.json.JsonMembers;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command in a sandbox that another process of this user holds. It ends with the connection. */
final class BoxCommand implements TerminalJob {
    private final BoxConnection box;
    private final String id;
    private final boolean atTerminal;
    private final OutputListener listener;
    private volatile boolean cancelled;
    private @Nullable BoxFrame last;

    private BoxCommand(BoxConnection box, String id, boolean atTerminal, OutputListener listener) {
        this.box = box;
        this.id = id;
        this.atTerminal = atTerminal;
        this.listener = listener;
    }

    /** Starts one, at a terminal of this size; null for none. */
    static BoxCommand start(
            Config config, String id, @Nullable Terminal size, List<String> command, OutputListener listener)
            throws CommandFailure {
        List<String> words = new ArrayList<>(
                size == null
                        ? List.of("0", "0")
                        : List.of(Integer.toString(size.rows()), Integer.toString(size.columns())));
        words.addAll(command);
        try {
            BoxConnection box = BoxConnection.to(config, id);
            try {
                box.send(BoxFrame.of(BoxFrame.EXEC, words));
                return new BoxCommand(box, id, size != null, listener);
            } catch (IOException gone) {
                box.close();
                throw gone;
            }
        } catch (IOException gone) {
            throw lost(id, gone);
        }
    }

    private static CommandFailure lost(String id, IOException gone) {
        return new CommandFailure(CommandFailure.FAILED, "sandbox " + id + ": " + gone.getMessage());
    }

    @Override
    public CommandEnding await() throws CommandFailure {
        try {
            for (byte[] bytes = receive(); bytes != null; bytes = receive()) {
                listener.output(OutputListener.Source.STDOUT, bytes);
            }
        } catch (IOException gone) {
            if (cancelled) {
                return cancelled();
            }
            throw atTerminal ? new CommandFailure(CommandFailure.FAILED, "the sandbox is gone") : lost(id, gone);
        }
        List<String> end = last == null ? List.of() : last.words();
        return new CommandEnding(Integer.parseInt(end.getFirst()), end.subList(2, end.size()), () -> end.get(1));
    }

    /** Its result is the sandbox's to tell, and nobody hears it any more: there is no id and no usage. */
    private static CommandEnding cancelled() {
        Outcome outcome = new Outcome.Cancelled();
        return new CommandEnding(
                outcome.exitCode(),
                EndMessages.of(AwaitedJob.refused(outcome)),
                () -> JsonMembers.text(json -> json.put("outcome", outcome.label())));
    }

    /** Standard output; what comes on standard error meanwhile is told at once. */
    @Override
    public byte @Nullable [] receive() throws IOException {
        while (last == null) {
            BoxFrame frame = box.receive();
            switch (frame.kind()) {
                case BoxFrame.STDOUT -> {
                    return frame.content();
                }
                case BoxFrame.STDERR -> listener.output(OutputListener.Source.STDERR, frame.content());
                case BoxFrame.RESULT -> last = frame;
                default -> throw new IOException("an answer that is not understood");
            }
        }
        return null;
    }

    @Override
    public void send(byte[] bytes, int offset, int length) throws IOException {
        box.send(new BoxFrame(BoxFrame.INPUT, Arrays.copyOfRange(bytes, offset, offset + length)));
    }

    /** A quick command may have ended by now, and its result is on its way. */
    @Override
    public void sendEnd() {
        try {
            box.send(BoxFrame.of(BoxFrame.INPUT_END));
        } catch (IOException over) {
            return;
        }
    }

    @Override
    public void resize(Terminal size) throws IOException {
        box.send(BoxFrame.of(BoxFrame.RESIZE, Integer.toString(size.rows()), Integer.toString(size.columns())));
    }

    /** Passes input on to its end. */
    void feed(InputStream from) {
        try {
            box.send(BoxFrame.INPUT, from);
            sendEnd();
        } catch (IOException over) {
            return;
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        close();
    }

    @Override
    public void close() {
        try {
            box.close();
        } catch (IOException gone) {
            return;
        }
    }
}
