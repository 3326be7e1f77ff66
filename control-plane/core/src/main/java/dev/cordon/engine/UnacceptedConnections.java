package dev.cordon.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What waits in connections of one network namespace that no process has: not accepted yet, or closed with data under way. The kernel charges
 * a TCP socket to a job when the job accepts it, so that what was sent before is nobody's memory, on cgroup v1 and v2.
 */
final class UnacceptedConnections implements AutoCloseable {
    /** The most that one holds: twice net.core.rmem_max of a usual host. */
    private static final long MOST_OF_ONE = 425_984;

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
    private @Nullable RandomAccessFile counts;

    /**
     * @param net  the namespace's directory, such as {@code /proc/42/net}
     * @param most the bytes that are allowed
     */
    UnacceptedConnections(Path net, long most) {
        this.net = net;
        this.most = most;
    }

    /** Whether they hold more than is allowed. Few sockets cannot, which costs one small read to know. */
    boolean overflow() {
        try {
            return inUse() * MOST_OF_ONE > most && held("tcp") + held("tcp6") > most;
        } catch (IOException gone) {
            return false; // with init, and the sandbox
        }
    }

    /** The sockets of TCP over IPv4, and as many again for IPv6, whose number is in another file. */
    private long inUse() throws IOException {
        RandomAccessFile file = counts;
        if (file == null) {
            file = new RandomAccessFile(net.resolve("sockstat").toFile(), "r");
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
                total += held(line.strip().split("\\s+", -1));
            }
        }
        return total;
    }

    /** What a connection without an inode holds: its two queues. */
    private static long held(String[] columns) {
        if (columns.length <= INODE
                || !columns[INODE].equals("0")
                || columns[STATE].equals(LISTENS)
                || columns[STATE].equals(IS_OVER)) {
            return 0;
        }
        String[] queues = columns[QUEUES].split(":", 2);
        return LEAST_OF_ONE + Long.parseLong(queues[0], 16) + Long.parseLong(queues[1], 16);
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
