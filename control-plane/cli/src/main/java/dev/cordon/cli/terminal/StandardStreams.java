package dev.cordon.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The three streams of this process, unbuffered, and its environment. Tests pass streams of their own.
 *
 * @param in standard input
 * @param out data goes here
 * @param err messages go here
 * @param inIsTerminal whether somebody types at {@code in}
 * @param outIsTerminal whether somebody looks at {@code out} through a terminal
 * @param errIsTerminal the same for {@code err}
 * @param environment the caller's variables
 */
public record StandardStreams(
        InputStream in,
        OutputStream out,
        OutputStream err,
        boolean inIsTerminal,
        boolean outIsTerminal,
        boolean errIsTerminal,
        Map<String, String> environment) {

    /** Of stat(2)'s st_mode. */
    private static final int TYPE_MASK = 0170000;

    private static final int CHARACTER_DEVICE = 0020000;
    private static final int MEMORY_DEVICES = 1;

    /** The streams of the process itself. {@link System#out} is not used: it encodes, buffers and hides errors. */
    public static StandardStreams ofProcess() {
        return new StandardStreams(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                isTerminal(0),
                isTerminal(1),
                isTerminal(2),
                System.getenv());
    }

    /** Writes text for the user to standard output. */
    public void print(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes one message to standard error. Control characters are made visible: parts of a message can come from the
     * job. A message that cannot be delivered is dropped, as there is nowhere to report it to.
     */
    public void message(String text) {
        show("cordon: " + TerminalText.visible(text) + "\n");
    }

    /** Writes several messages. */
    public void messages(List<String> lines) {
        for (String line : lines) {
            message(line);
        }
    }

    /** Writes over the last line of standard error, for somebody who looks at a terminal. */
    public void overwrite(String line) {
        if (errIsTerminal) {
            show("\r\033[K" + line);
        }
    }

    /** Writes to standard error as it is, whether somebody looks or not. */
    void show(String text) {
        try {
            err.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException nobodyLooks) {
            return;
        }
    }

    /** Writes one JSON object as a line, so that it cannot steer a terminal. */
    public void printJson(String json) throws IOException {
        print((outIsTerminal ? TerminalText.json(json) : json) + "\n");
    }

    /**
     * Any character device but /dev/null and its like counts as a terminal. Looking at the descriptor costs no native
     * call, and erring on this side only means that control characters are escaped.
     */
    private static boolean isTerminal(int descriptor) {
        try {
            Map<String, Object> attributes =
                    Files.readAttributes(Path.of("/proc/self/fd/" + descriptor), "unix:mode,rdev");
            return attributes.get("mode") instanceof Integer mode
                    && attributes.get("rdev") instanceof Long device
                    && (mode & TYPE_MASK) == CHARACTER_DEVICE
                    && (device >>> 8 & 0xfff) != MEMORY_DEVICES;
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException unknown) {
            return false;
        }
    }
}
