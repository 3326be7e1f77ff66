package dev.cordon.vm.qemu;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.vm.json.InvalidJson;
import dev.cordon.vm.json.JsonLine;
import dev.cordon.vm.json.JsonReader;
import dev.cordon.vm.time.WaitDeadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with QEMU's monitor. Any thread asks; one thread feeds what arrives. A QEMU that breaks the protocol, or sends an answer
 * that is larger than any of ours can be, ends the conversation: it may have been taken over by its guest.
 */
final class QmpLink {
    private static final int MOST_LINE = 256 << 10;
    private static final JsonReader JSON = new JsonReader(32, MOST_LINE);

    /** Of QEMU's own words in what people read. */
    private static final int MOST_SHOWN = 256;

    private final Kernel kernel;
    private final Fd socket;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final CompletableFuture<Map<String, @Nullable Object>> greeting = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<Map<String, @Nullable Object>>> pending = new HashMap<>();
    private long asked;
    private @Nullable String over;
    private volatile String shutdown = "";

    QmpLink(Kernel kernel, Fd socket) {
        this.kernel = kernel;
        this.socket = socket;
    }

    /** Waits until QEMU is there, and enters command mode. */
    void begin(WaitDeadline deadline) throws IOException {
        await("greeting", greeting, deadline);
        execute("qmp_capabilities", "{}", deadline);
    }

    /** Asks, and returns what the answer's "return" holds when that is an object. */
    Map<String, @Nullable Object> execute(String command, String arguments, WaitDeadline deadline) throws IOException {
        return execute(command, arguments, List.of(), deadline);
    }

    /** Asks with descriptors. */
    Map<String, @Nullable Object> execute(String command, String arguments, List<Fd> fds, WaitDeadline deadline)
            throws IOException {
        CompletableFuture<Map<String, @Nullable Object>> answer = new CompletableFuture<>();
        synchronized (this) {
            if (over != null) {
                throw new IOException("QEMU's monitor is gone: " + over);
            }
            long id = ++asked;
            pending.put(id, answer);
            String request = new JsonLine()
                    .text("execute", command)
                    .json("arguments", arguments)
                    .number("id", id)
                    .end();
            if (!kernel.send(socket, request.getBytes(StandardCharsets.UTF_8), fds)) {
                throw new IOException("QEMU's monitor does not take '" + command + "'");
            }
        }
        return await(command, answer, deadline);
    }

    /** Why the guest ended, in QEMU's word such as guest-shutdown or guest-reset; empty while it has not. */
    String shutdown() {
        return shutdown;
    }

    /** Takes what arrived. */
    void feed(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                take(line.toByteArray());
                line.reset();
            } else if (line.size() < MOST_LINE) {
                line.write(next);
            } else {
                end("an answer is longer than " + MOST_LINE + " bytes");
                return;
            }
        }
    }

    /** Says that nothing more will arrive. */
    synchronized void end(String why) {
        if (over == null) {
            over = why;
            IOException gone = new IOException("QEMU's monitor is gone: " + why);
            greeting.completeExceptionally(gone);
            pending.values().forEach(answer -> answer.completeExceptionally(gone));
            pending.clear();
        }
    }

    private void take(byte[] text) {
        try {
            Map<String, @Nullable Object> message = JSON.object(text);
            if (message.containsKey("QMP")) {
                greeting.complete(message);
            } else if (message.get("event") instanceof String event) {
                event(event, message);
            } else if (message.get("id") instanceof Long id) {
                CompletableFuture<Map<String, @Nullable Object>> answer;
                synchronized (this) {
                    answer = pending.remove(id);
                }
                if (answer != null) {
                    answer.complete(message);
                }
            }
        } catch (InvalidJson e) {
            end(shown(e.getMessage()));
        }
    }

    private void event(String event, Map<String, @Nullable Object> message) {
        if (event.equals("SHUTDOWN")) {
            shutdown = JsonReader.asObject(message.get("data"))
                    .map(data -> shown(data.get("reason")))
                    .orElse("shutdown");
        }
    }

    /** What QEMU says goes into outcomes and logs: short, and without what would forge a second line or move a cursor. */
    private static String shown(@Nullable Object said) {
        String text = String.valueOf(said);
        return text.substring(0, Math.min(text.length(), MOST_SHOWN)).replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
    }

    private static Map<String, @Nullable Object> await(
            String what, CompletableFuture<Map<String, @Nullable Object>> answer, WaitDeadline deadline)
            throws IOException {
        try {
            Map<String, @Nullable Object> message = answer.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
            if (message.containsKey("error")) {
                throw new IOException("QEMU refuses '" + what + "': "
                        + JsonReader.asObject(message.get("error"))
                                .map(error -> shown(error.get("desc")))
                                .orElse("without a reason"));
            }
            return JsonReader.asObject(message.get("return")).orElse(Map.of());
        } catch (TimeoutException e) {
            throw new IOException("QEMU's monitor did not answer '" + what + "' in time", e);
        } catch (ExecutionException e) {
            throw new IOException(
                    String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while QEMU answered '" + what + "'");
        }
    }
}
