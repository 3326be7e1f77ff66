package dev.cordon.host;

import dev.cordon.bindings.NativeParts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Messages to services of this host that listen on a socket, as sd_notify(3) sends them. */
public final class HostSocket {
    private HostSocket() {}

    /**
     * Sends one datagram.
     *
     * @param name the socket's absolute path, or its abstract name after an {@code @}
     * @throws IOException when nobody takes it
     * @throws IllegalArgumentException when a socket cannot have that name
     */
    public static void send(String name, String message) throws IOException {
        NativeParts.load().kernel().sendDatagram(name, message.getBytes(StandardCharsets.UTF_8));
    }
}
