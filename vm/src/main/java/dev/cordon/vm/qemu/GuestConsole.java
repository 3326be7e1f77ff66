package dev.cordon.vm.qemu;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The last bytes that a guest wrote to its serial console, or QEMU to its standard error. Bounded, whatever they write. */
final class GuestConsole {
    private static final int MOST = 16 << 10;
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}&&[^\\n\\t]]|\\e\\[[0-9;]*[A-Za-z]");

    private final byte[] ring = new byte[MOST];
    private long written;

    /** Takes what there is to the left of the buffer's position. */
    synchronized void append(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            ring[(int) (written++ % MOST)] = bytes.get();
        }
    }

    /** The text, without what would drive a terminal. */
    synchronized String text() {
        int length = (int) Math.min(written, MOST);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = ring[(int) ((written - length + i) % MOST)];
        }
        return UNPRINTABLE.matcher(new String(bytes, StandardCharsets.UTF_8)).replaceAll("");
    }

    /** The last lines. */
    String tail(int lines) {
        List<String> all = text().lines().filter(line -> !line.isBlank()).toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }
}
