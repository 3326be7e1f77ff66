package dev.cordon.guest;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One request at a time over a unix socket: the guest has no curl, and Java's client speaks TCP only. */
record UnixHttp(Path socket) {
    private static final JsonMapper JSON = new JsonMapper();

    /** An answer. */
    record Answer(int status, String body) {
        JsonNode json() {
            return JSON.readTree(body);
        }
    }

    Answer get(String path, String... headers) throws IOException {
        return send("GET", path, "", headers);
    }

    Answer post(String path, String body, String... headers) throws IOException {
        return send("POST", path, body, headers);
    }

    private Answer send(String method, String path, String body, String... headers) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        head.append("Connection: close\r\nContent-Type: application/json\r\n");
        head.append("Content-Length: ").append(content.length).append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8)));
            channel.write(ByteBuffer.wrap(content));
            String text = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            int end = text.indexOf("\r\n\r\n");
            if (end < 0) {
                throw new IOException("no answer: " + text);
            }
            return new Answer(Integer.parseInt(text.substring(9, 12)), text.substring(end + 4));
        }
    }
}
