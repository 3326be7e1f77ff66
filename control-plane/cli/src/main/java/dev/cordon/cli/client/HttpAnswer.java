package dev.cordon.cli.client;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The head of an answer and the stream of its body.
 *
 * @param status  the status code
 * @param headers names in lower case
 * @param body    ends with the answer
 */
public record HttpAnswer(int status, Map<String, String> headers, InputStream body) {
    private static final int LONGEST_LINE = 8 << 10;
    private static final int MOST_HEADERS = 100;
    private static final int NO_CONTENT = 204;
    static final int SWITCHING = 101;

    /** Reads a head. */
    static HttpAnswer read(InputStream in) throws IOException {
        String first = line(in);
        if (!first.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
            throw new IOException("what answers is not an HTTP server");
        }
        int status = Integer.parseInt(first.substring(9, 12));
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon < 1 || headers.size() >= MOST_HEADERS) {
                throw new IOException("an answer whose headers make no sense");
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        return new HttpAnswer(status, headers, body(status, headers, in));
    }

    private static InputStream body(int status, Map<String, String> headers, InputStream in) throws IOException {
        if (status == NO_CONTENT || status == SWITCHING) {
            return InputStream.nullInputStream();
        }
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return new BodyStream(in, -1);
        }
        String length = headers.getOrDefault("content-length", "");
        if (!length.matches("[0-9]{1,18}")) {
            throw new IOException("an answer without a length");
        }
        return new BodyStream(in, Long.parseLong(length));
    }

    /** The lines of the body. */
    BufferedReader lines() {
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** A header; empty when there is none. */
    public String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** A line of a head, without its end. */
    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int got = in.read(); got != '\n'; got = in.read()) {
            if (got < 0) {
                throw new EOFException("the service closed the connection");
            }
            if (line.length() >= LONGEST_LINE) {
                throw new IOException("an answer with a line that does not end");
            }
            line.append((char) got);
        }
        int end = line.length() - 1;
        return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
    }
}
