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
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One request to a sandbox of this process. When its caller goes away, so does what it started.
 *
 * @param sandbox the sandbox
 * @param caller  who asks
 */
record BoxSession(Sandbox sandbox, BoxConnection caller) {
    void serve() throws IOException {
        BoxFrame request = caller.receive();
        switch (request.kind()) {
            case BoxFrame.INFO -> end(info());
            case BoxFrame.KILL -> {
                sandbox.close();
                end(List.of("0", ""));
            }
            case BoxFrame.EXEC -> exec(request.words());
            case BoxFrame.PUT -> put(request.words());
            case BoxFrame.GET -> get(request.words().getFirst());
            default -> end(List.of("125", "", "this sandbox's process does not know that request"));
        }
    }

    private void end(List<String> words) throws IOException {
        caller.send(BoxFrame.of(BoxFrame.RESULT, words));
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
            end(end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The caller's content is taken to its end also when it cannot be written: only then does the caller listen. */
    private void put(List<String> words) throws IOException {
        List<String> end = List.of("0", "");
        BoxContent content = new BoxContent(caller);
        try {
            sandbox.files().put(words.get(0), content, Integer.parseInt(words.get(1)));
        } catch (IOException | IllegalArgumentException e) {
            end = failed(e);
        }
        content.skipRest();
        end(end);
    }

    private void get(String path) throws IOException {
        List<String> end = List.of("0", "");
        try (InputStream file = sandbox.files().open(path)) {
            long size = sandbox.files().stat(path).size().bytes();
            caller.send(BoxFrame.of(BoxFrame.SIZE, Long.toString(size)));
            caller.send(BoxFrame.STDOUT, file);
        } catch (IOException | IllegalArgumentException e) {
            end = failed(e);
        }
        end(end);
    }

    private static List<String> failed(Exception e) {
        return List.of("1", "", String.valueOf(e.getMessage()));
    }

    private void pass(InputStream from, char kind) {
        try (from) {
            caller.send(kind, from);
        } catch (IOException gone) {
            return;
        }
    }

    /** What the caller types; its end without a word ends the command. */
    private void listen(RunningJob running) {
        OutputStream keys = running.stdin();
        try {
            while (true) {
                BoxFrame frame = caller.receive();
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
