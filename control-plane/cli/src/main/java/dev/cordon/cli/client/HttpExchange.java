package dev.cordon.cli.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A request that was answered, and whose answer is being read.
 *
 * @param connection ends with it
 * @param answer     the answer
 * @param lines      the lines of its body
 * @param where      the service, for messages
 */
public record HttpExchange(HttpConnection connection, HttpAnswer answer, BufferedReader lines, String where)
        implements AutoCloseable {
    /** A header of the answer; empty when there is none. */
    public String header(String name) {
        return answer.header(name);
    }

    /** The next line of a stream of lines; empty at its end. */
    public Optional<String> line() throws ServiceLost {
        try {
            return Optional.ofNullable(lines.readLine());
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** The next event of a stream of JSON lines; null at its end. */
    public @Nullable JsonNode event() throws ServiceLost {
        Optional<String> line = line();
        while (line.isPresent() && line.get().isBlank()) {
            line = line();
        }
        try {
            return line.isPresent() ? ServiceClient.MAPPER.readTree(line.get()) : null;
        } catch (JacksonException e) {
            throw new ServiceLost("the service at " + where + " sent an event that is not understood");
        }
    }

    String text() throws ServiceLost {
        try {
            return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** The bytes that come, to a stream; a stream that takes no more is the caller's matter. */
    public void copyTo(OutputStream out) throws ServiceLost, IOException {
        byte[] piece = new byte[1 << 16];
        while (true) {
            int got;
            try {
                got = answer.body().read(piece);
            } catch (IOException e) {
                throw lost(e);
            }
            if (got < 0) {
                return;
            }
            out.write(piece, 0, got);
        }
    }

    private ServiceLost lost(IOException e) {
        return new ServiceLost("the service at " + where + " broke off", e);
    }

    @Override
    public void close() {
        connection.close();
    }
}
