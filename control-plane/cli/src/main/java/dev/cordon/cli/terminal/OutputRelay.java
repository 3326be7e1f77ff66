package dev.cordon.cli.terminal;

import dev.cordon.result.OutputListener;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands a job's output on as it comes, byte for byte; to a terminal only what cannot steer it, unless the user wants it
 * raw. When nobody takes standard output any more, the job is of no use and is cancelled.
 */
public final class OutputRelay implements OutputListener {

    private final StandardStreams messages;
    private final OutputStream out;
    private final OutputStream err;
    private @Nullable IOException failure;
    private JobInterruption.@Nullable Cancellation cancel;

    public OutputRelay(StandardStreams stdio, boolean raw) {
        this(stdio, stdio.outIsTerminal() && !raw ? new TerminalText(stdio.out()) : stdio.out(), raw);
    }

    private OutputRelay(StandardStreams stdio, OutputStream out, boolean raw) {
        this.messages = stdio;
        this.out = out;
        this.err = errors(stdio, raw);
    }

    /** A relay that writes both streams of the job to standard error: standard output is for something else. */
    public static OutputRelay aside(StandardStreams stdio, boolean raw) {
        return new OutputRelay(stdio, errors(stdio, raw), raw);
    }

    private static OutputStream errors(StandardStreams stdio, boolean raw) {
        return stdio.errIsTerminal() && !raw ? new TerminalText(stdio.err()) : stdio.err();
    }

    /** What to do when standard output is gone; done at once when it is gone already. */
    public synchronized void whenGone(JobInterruption.Cancellation action) {
        cancel = action;
        if (failure != null) {
            action.cancel();
        }
    }

    /** A reader that is gone from standard error is not a reason to stop the job. */
    @Override
    public void output(Source source, byte[] bytes) {
        try {
            (source == Source.STDOUT ? out : err).write(bytes, 0, bytes.length);
        } catch (IOException gone) {
            if (source == Source.STDOUT) {
                stop(gone);
            }
        }
    }

    /** Said between the outputs of both attempts, for those who read along; {@code --json} keeps them apart. */
    @Override
    public void escalated(String reason) {
        messages.message("stopped for its " + reason
                + "; it is run again in a virtual machine, and what was printed so far is the stopped attempt's");
    }

    /**
     * The job is over: what an unfinished character left behind is written.
     *
     * @throws IOException when standard output could not take everything
     */
    public void finish() throws IOException {
        synchronized (this) {
            if (failure != null) {
                throw failure;
            }
        }
        for (OutputStream stream : List.of(out, err)) {
            if (stream instanceof TerminalText text) {
                text.finish();
            }
        }
    }

    private synchronized void stop(IOException gone) {
        if (failure == null) {
            failure = gone;
            if (cancel != null) {
                cancel.cancel();
            }
        }
    }
}
