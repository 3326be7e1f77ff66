package dev.cordon.engine.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * What waits in connections of one network namespace that no process has: not accepted yet, or closed with data under way. The kernel charges
 * a TCP socket to a job when the job accepts it, so that what was sent before is nobody's memory, on cgroup v1 and v2.
 */
final class UnacceptedConnections implements AutoCloseable {
    private static final Path RECEIVES = Path.of("/proc/sys/net/core/rmem_max");
    private static final Path RECEIVES_TCP = Path.of("/proc/sys/net/ipv4/tcp_rmem");

    private static final String COUNTS = "sockstat";

    /** A socket itself, and what goes with it. */
    private static final long LEAST_OF_ONE = 4096;

    private static final int ROOM = 4096;

    /** Columns of /proc/net/tcp: proc_pid_net(5). */
    private static final int STATE = 3;

    private static final int QUEUES = 4;
    private static final int INODE = 9;
    private static final String LISTENS = "0A";
    private static final String IS_OVER = "06";

    private final Path net;
    private final long most;
    private final long mostOfOne;
    private @Nullable RandomAccessFile counts;

    /**
     * @param net  the namespace's directory, such as {@code /proc/42/net}
     * @param most the bytes that are allowed
     */
    UnacceptedConnections(Path net, long most) {
        this.net = net;
        this.most = most;
        this.mostOfOne = mostOfOne();
    }

    /** The most that one can hold on this host: what its job may ask for, or what the kernel gives by itself. Unknown is without bound. */
    private static long mostOfOne() {
        try {
            long asked = 2 * Long.parseLong(setting(RECEIVES));
            String[] own = setting(RECEIVES_TCP).split("\\s+", -1);
            return Math.max(asked, Long.parseLong(own[own.length - 1]));
        } catch (IOException | NumberFormatException unknown) {
            return Integer.MAX_VALUE;
        }
    }

    /** In one piece: the kernel answers the first read of a number alone, and Files.readString begins with a single byte. */
    private static String setting(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            String line = lines.readLine();
            return line == null ? "" : line.strip();
        }
    }

    /** Whether they hold more than is allowed. Few sockets cannot, which costs one small read to know. */
    boolean overflow() {
        try {
            return inUse() * mostOfOne > most && held("tcp") + held("tcp6") > most;
        } catch (IOException unreadable) {
            // The directory stays until a killed init is reaped, its files do not.
            if (Files.exists(net.resolve(COUNTS))) {
                throw new UncheckedIOException("the sockets of " + net + " cannot be counted", unreadable);
            }
            return false; // gone with init, and the sandbox
        }
    }

    /** The sockets of TCP over IPv4, and as many again for IPv6, whose number is in another file. */
    private long inUse() throws IOException {
        RandomAccessFile file = counts;
        if (file == null) {
            file = new RandomAccessFile(net.resolve(COUNTS).toFile(), "r");
            counts = file;
        } else {
            file.seek(0);
        }
        byte[] bytes = new byte[ROOM];
        int length = Math.max(0, file.read(bytes));
        long four = inUse(new String(bytes, 0, length, StandardCharsets.US_ASCII), "TCP: inuse ");
        Path six = net.resolve("sockstat6");
        return four + (Files.exists(six) ? inUse(Files.readString(six), "TCP6: inuse ") : 0);
    }

    private static long inUse(String text, String key) {
        int at = text.indexOf(key);
        if (at < 0) {
            return 0;
        }
        String rest = text.substring(at + key.length());
        return Long.parseLong(rest.split("\\s", 2)[0]);
    }

    private long held(String protocol) throws IOException {
        long total = 0;
        Path list = net.resolve(protocol);
        if (!Files.exists(list)) {
            return 0;
        }
        try (BufferedReader lines = Files.newBufferedReader(list, StandardCharsets.US_ASCII)) {
            lines.readLine(); // its titles
            for (String line = lines.readLine(); line != null && total <= most; line = lines.readLine()) {
                total += heldBy(line);
            }
        }
        return total;
    }

    /** What a connection without an inode holds: its two queues. There may be many lines, most of them of other sockets. */
    private static long heldBy(String line) {
        StringTokenizer columns = new StringTokenizer(line);
        String state = "";
        String queues = "";
        for (int i = 0; i < INODE && columns.hasMoreTokens(); i++) {
            String column = columns.nextToken();
            if (i == STATE) {
                state = column;
                if (state.equals(LISTENS) || state.equals(IS_OVER)) {
                    return 0;
                }
            } else if (i == QUEUES) {
                queues = column;
            }
        }
        if (!columns.hasMoreTokens() || !columns.nextToken().equals("0")) {
            return 0;
        }
        int colon = queues.indexOf(':');
        return LEAST_OF_ONE
                + Long.parseLong(queues, 0, colon, 16)
                + Long.parseLong(queues, colon + 1, queues.length(), 16);
    }

    @Override
    public void close() {
        RandomAccessFile file = counts;
        counts = null;
        if (file != null) {
            try {
                file.close();
            } catch (IOException nothingLost) {
                return;
            }
        }
    }
}
