package dev.cordon.cli.box;

import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.job.Job;
import dev.cordon.job.Stdin;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.json.ResultJson;
import dev.cordon.result.Result;
import dev.cordon.result.SandboxInfo;
import dev.cordon.result.UsageSample;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One request to a sandbox of this process. When its caller goes away, so does what it started. */
final class BoxSession {
    private static final int PIECE = 1 << 16;

    private final Sandbox sandbox;
    private final DataInputStream in;
    private final DataOutputStream out;

    BoxSession(Sandbox sandbox, SocketChannel caller) {
        this.sandbox = sandbox;
        this.in = new DataInputStream(Channels.newInputStream(caller));
        this.out = new DataOutputStream(Channels.newOutputStream(caller));
    }

    void serve() throws IOException {
        BoxFrame request = BoxFrame.read(in);
        switch (request.kind()) {
            case BoxFrame.INFO -> answer(BoxFrame.of(BoxFrame.RESULT, info()));
            case BoxFrame.KILL -> {
                sandbox.close();
                answer(BoxFrame.of(BoxFrame.RESULT, "0", ""));
            }
            case BoxFrame.EXEC -> exec(request.words());
            case BoxFrame.PUT -> put(request.words());
            case BoxFrame.GET -> get(request.words().getFirst());
            default ->
                answer(BoxFrame.of(BoxFrame.RESULT, "125", "", "this sandbox's process does not know that request"));
        }
    }

    private void answer(BoxFrame frame) throws IOException {
        frame.write(out);
    }

    private List<String> info() {
        SandboxInfo info = sandbox.info();
        UsageSample sample = sandbox.sample();
        ByteSize memory = sample.memory();
        Long pids = sample.pids();
        return List.of(
                info.id().toString(),
                info.state().name().toLowerCase(Locale.ROOT),
                info.isolation().name().toLowerCase(Locale.ROOT),
                Integer.toString(info.running()),
                info.created().toString(),
                memory == null ? "" : Long.toString(memory.bytes()),
                pids == null ? "" : pids.toString(),
                Long.toString(ProcessHandle.current().pid()));
    }

    private void exec(List<String> words) throws IOException {
        int rows = Integer.parseInt(words.get(0));
        int columns = Integer.parseInt(words.get(1));
        Job job = Job.argv(words.subList(2, words.size())).stdin(Stdin.fed()).streaming();
        if (rows > 0 && columns > 0) {
            job = job.terminal(rows, columns);
        }
        try (RunningJob running = sandbox.start(job)) {
            Thread.ofVirtual().name("cordon-box-input").start(() -> listen(running));
            Thread errors =
                    Thread.ofVirtual().name("cordon-box-stderr").start(() -> pass(running.stderr(), BoxFrame.STDERR));
            pass(running.stdout(), BoxFrame.STDOUT);
            errors.join();
            Result result = running.await();
            List<String> end = new ArrayList<>();
            end.add(Integer.toString(result.outcome().exitCode()));
            end.add(ResultJson.text(result));
            end.addAll(EndMessages.of(result));
            answer(BoxFrame.of(BoxFrame.RESULT, end));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The caller's content is taken to its end also when it cannot be written: only then does the caller listen. */
    private void put(List<String> words) throws IOException {
        String problem = "";
        BoxContent content = new BoxContent(in);
        try {
            sandbox.files().put(words.get(0), content, Integer.parseInt(words.get(1)));
        } catch (IOException | IllegalArgumentException e) {
            problem = String.valueOf(e.getMessage());
        }
        content.skipRest();
        answer(outcome(problem));
    }

    private void get(String path) throws IOException {
        String problem = "";
        try (InputStream file = sandbox.files().open(path)) {
            answer(BoxFrame.of(
                    BoxFrame.SIZE,
                    Long.toString(sandbox.files().stat(path).size().bytes())));
            byte[] piece = new byte[PIECE];
            int got = file.read(piece);
            while (got >= 0) {
                answer(new BoxFrame(BoxFrame.STDOUT, Arrays.copyOf(piece, got)));
                got = file.read(piece);
            }
        } catch (IOException | IllegalArgumentException e) {
            problem = String.valueOf(e.getMessage());
        }
        answer(outcome(problem));
    }

    private static BoxFrame outcome(String problem) {
        return problem.isEmpty()
                ? BoxFrame.of(BoxFrame.RESULT, "0", "")
                : BoxFrame.of(BoxFrame.RESULT, "1", "", problem);
    }

    private void pass(InputStream from, char kind) {
        byte[] piece = new byte[PIECE];
        try (from) {
            int got = from.read(piece);
            while (got >= 0) {
                answer(new BoxFrame(kind, Arrays.copyOf(piece, got)));
                got = from.read(piece);
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** What the caller types; its end without a word ends the command. */
    private void listen(RunningJob running) {
        OutputStream keys = running.stdin();
        try {
            while (true) {
                BoxFrame frame = BoxFrame.read(in);
                switch (frame.kind()) {
                    case BoxFrame.INPUT -> {
                        keys.write(frame.content());
                        keys.flush();
                    }
                    case BoxFrame.INPUT_END -> keys.close();
                    case BoxFrame.RESIZE -> {
                        List<String> size = frame.words();
                        running.resize(Integer.parseInt(size.get(0)), Integer.parseInt(size.get(1)));
                    }
                    default -> throw new IOException("unexpected");
                }
            }
        } catch (IOException | RuntimeException gone) {
            running.cancel();
        }
    }
}
