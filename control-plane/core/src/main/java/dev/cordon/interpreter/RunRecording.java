package dev.cordon.interpreter;

import dev.cordon.result.Output;
import dev.cordon.result.OutputListener;
import dev.cordon.result.OutputListener.Source;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What is heard of one run, within its limits whatever the driver says. Written by the thread that reads from the driver; read by others
 * once it has ended.
 */
final class RunRecording {
    /**
     * How the driver says that a run ended.
     *
     * @param how     one of its words, or empty when the interpreter is dead
     * @param exit    how it died; null when it lives
     * @param dropped displays that did not fit
     */
    record End(String how, @Nullable InterpreterExit exit, long dropped) {}

    private static final int MOST_DISPLAYS = 1000;
    private static final int MOST_FORMS = 32;
    private static final int FRAME_FIELDS = 4;
    private static final int MOST_FRAMES = 64;
    private static final int MOST_SIGNAL = 64;

    private final int run;
    private final RunLimits limits;
    private final OutputListener listener;
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private final Map<Source, Long> totals = new EnumMap<>(Source.class);
    private final List<Display> displays = new ArrayList<>();
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private long displayed;
    private @Nullable String value;
    private boolean valueCut;
    private @Nullable Traceback traceback;

    RunRecording(int run, RunLimits limits, OutputListener listener) {
        this.run = run;
        this.limits = limits;
        this.listener = listener;
    }

    int run() {
        return run;
    }

    CompletableFuture<End> end() {
        return end;
    }

    /** Takes a frame that is about this run. */
    void take(DriverFrame frame) throws BrokenProtocol {
        switch (frame.kind()) {
            case DriverFrame.STDOUT -> output(Source.STDOUT, frame);
            case DriverFrame.STDERR -> output(Source.STDERR, frame);
            case DriverFrame.DISPLAY -> display(frame);
            case DriverFrame.VALUE -> {
                frame.expect(2, 2);
                value = frame.text(0);
                valueCut = frame.number(1) != 0;
            }
            case DriverFrame.RAISED -> traceback = traceback(frame);
            case DriverFrame.DONE -> {
                frame.expect(4, 4);
                totals(frame, 2);
                end.complete(new End(frame.text(0), null, frame.number(1)));
            }
            case DriverFrame.DIED -> {
                frame.expect(5, 5);
                totals(frame, 3);
                end.complete(new End("", exit(frame), 0));
            }
            default -> throw new BrokenProtocol("a frame of the unknown kind " + (int) frame.kind());
        }
    }

    private static InterpreterExit exit(DriverFrame frame) throws BrokenProtocol {
        String problem = frame.text(2);
        if (!problem.isEmpty()) {
            return new InterpreterExit.ProtocolError(problem);
        }
        long number = frame.number(1);
        return frame.text(0).equals("signal") && number >= 1 && number <= MOST_SIGNAL
                ? new InterpreterExit.Signaled((int) number)
                : new InterpreterExit.Exited((int) number);
    }

    private void output(Source source, DriverFrame frame) throws BrokenProtocol {
        frame.expect(1, 1);
        byte[] bytes = frame.fields().getFirst();
        ByteArrayOutputStream kept = kept(source);
        if (kept.size() + (long) bytes.length > limits.output().bytes()) {
            throw new BrokenProtocol("more output than it may pass on");
        }
        kept.writeBytes(bytes);
        listener.output(source, bytes.clone());
    }

    private ByteArrayOutputStream kept(Source source) {
        return source == Source.STDOUT ? stdout : stderr;
    }

    private void totals(DriverFrame frame, int first) throws BrokenProtocol {
        totals.put(Source.STDOUT, frame.number(first));
        totals.put(Source.STDERR, frame.number(first + 1));
    }

    private void display(DriverFrame frame) throws BrokenProtocol {
        frame.expect(2, 2 * MOST_FORMS);
        Map<String, byte[]> forms = new LinkedHashMap<>();
        for (int i = 0; i + 1 < frame.fields().size(); i += 2) {
            byte[] content = frame.fields().get(i + 1);
            displayed += content.length;
            forms.put(frame.text(i), content);
        }
        if (displayed > limits.displays().bytes() || displays.size() == MOST_DISPLAYS) {
            throw new BrokenProtocol("more displays than it may pass on");
        }
        displays.add(new Display(forms));
    }

    private static Traceback traceback(DriverFrame frame) throws BrokenProtocol {
        frame.expect(3, 3 + MOST_FRAMES * FRAME_FIELDS);
        List<Traceback.Frame> frames = new ArrayList<>();
        for (int i = 3; i + FRAME_FIELDS <= frame.fields().size(); i += FRAME_FIELDS) {
            frames.add(new Traceback.Frame(frame.text(i), frame.number(i + 1), frame.text(i + 2), frame.text(i + 3)));
        }
        return new Traceback(frame.text(0), frame.text(1), frame.text(2), frames);
    }

    /** Ends it without the driver's word; nothing happens when it has ended. */
    void fail(InterpreterExit exit) {
        end.complete(new End("", exit, 0));
    }

    @Nullable
    Traceback traceback() {
        return traceback;
    }

    /** What is told of the run now that it has ended. */
    Evaluation evaluation(RunEnding ending, long dropped, boolean stateLost, Duration wall) {
        return new Evaluation(
                run,
                ending,
                output(Source.STDOUT),
                output(Source.STDERR),
                value,
                valueCut,
                displays,
                dropped,
                stateLost,
                wall);
    }

    private Output output(Source source) {
        byte[] bytes = kept(source).toByteArray();
        // Hostile code may count as it likes.
        return new Output(bytes, Math.max(bytes.length, totals.getOrDefault(source, 0L)));
    }
}
