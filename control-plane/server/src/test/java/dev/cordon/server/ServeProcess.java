package dev.cordon.server;

import dev.cordon.fixture.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The service as a process of its own, to be killed. */
public final class ServeProcess implements AutoCloseable {
    private final Process process;
    private volatile boolean heard;
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    /** What the process runs. */
    public static void main(String[] arguments) {
        System.exit(
                ServiceCommands.serve(arguments[0], arguments[1], "127.0.0.1:0", arguments[2], System.err::println));
    }

    public ServeProcess(Path config, Path socket, Path state, String... options) throws IOException {
        this(List.of(), true, config, socket, state, options);
    }

    /**
     * Starts one.
     *
     * @param before what becomes the service in the end, as a command that takes another's name and arguments; empty: nothing
     * @param heard  whether its standard error is read after the port was told; else it fills
     */
    public ServeProcess(List<String> before, boolean heard, Path config, Path socket, Path state, String... options)
            throws IOException {
        this.heard = heard;
        List<String> line = new ArrayList<>(before);
        line.addAll(JavaProcess.line(
                ServeProcess.class, List.of(options), config.toString(), socket.toString(), state.toString()));
        process = new ProcessBuilder(line)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Thread.ofVirtual().start(this::listen);
        ServiceLogs.add(this);
    }

    private void listen() {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.add(line);
                if (line.startsWith("listening on port ")) {
                    port.complete(Integer.valueOf(line.substring("listening on port ".length())));
                    if (!heard) {
                        return; // and the pipe stays open
                    }
                }
            }
            port.completeExceptionally(new IOException("the service ended: " + log));
        } catch (IOException e) {
            port.completeExceptionally(e);
        }
    }

    public int port() throws Exception {
        return port.get(60, TimeUnit.SECONDS);
    }

    /** The lines of its standard error so far. */
    public List<String> log() {
        return List.copyOf(log);
    }

    /** Begins to read the standard error of one that was not heard. */
    public void hear() {
        heard = true;
        Thread.ofVirtual().start(this::listen);
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** SIGKILL. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM; the exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
