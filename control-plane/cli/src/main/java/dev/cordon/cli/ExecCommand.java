package dev.cordon.cli;

import dev.cordon.api.OutputListener;
import dev.cordon.api.Terminal;
import dev.cordon.config.Config;
import dev.cordon.host.HostTerminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code cordon exec}: a command in a sandbox that another process of this user holds open. */
final class ExecCommand implements Command {
    static final Option TTY = Option.flag("-t", "Give the command a terminal.").or("--tty");
    static final Option INPUT = Option.flag("-i", "Pass standard input on; without it the command reads nothing.")
            .or("--stdin");

    private static final int LOST = 125;
    private static final int PIECE = 1 << 16;
    private static final int PIPE = 1 << 18;

    @Override
    public String name() {
        return "exec";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Run a command in a sandbox that is open.",
                "",
                "BOX is the id of a sandbox of yours, or a part of it that no other has; cordon ps lists them. The",
                "command has the sandbox's limits; Ctrl-C here ends it.");
    }

    @Override
    public List<Option> options() {
        return List.of(INPUT, TTY, RunOptions.RAW, Option.CONFIG, Option.LOCAL, Option.JSON);
    }

    @Override
    public String operands() {
        return "BOX COMMAND [ARGUMENT...]";
    }

    @Override
    public List<String> footer() {
        return List.of(
                "",
                "Exit codes: as with cordon run; 125 also when the sandbox's process is gone.",
                "",
                "Examples:",
                "  cordon exec box_01J ls -l",
                "  cordon exec -t box_01J bash");
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteExec());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        List<String> command = command(arguments);
        Config config = Opening.config(arguments);
        String id = new Boxes(config).named(arguments.operands().getFirst());
        Optional<HostTerminal> terminal = terminal(arguments);
        try (BoxClient box = BoxClient.to(config, id)) {
            return terminal.isPresent()
                    ? inTerminal(box, command, terminal.get(), stdio)
                    : plain(box, command, arguments, stdio);
        } catch (IOException gone) {
            stdio.message("sandbox " + id + ": " + gone.getMessage());
            return LOST;
        }
    }

    /** What is to be run. */
    static List<String> command(Arguments arguments) throws UsageError {
        if (arguments.operands().size() < 2) {
            throw new UsageError("a sandbox and a command are needed; try: cordon exec BOX ls, or cordon ps");
        }
        return arguments.operands().subList(1, arguments.operands().size());
    }

    /** The terminal that it is to have. */
    static Optional<HostTerminal> terminal(Arguments arguments) throws UsageError {
        Optional<HostTerminal> terminal = arguments.has(TTY) ? HostTerminal.of(0) : Optional.empty();
        if (arguments.has(TTY) && terminal.isEmpty()) {
            throw new UsageError("-t needs a terminal; leave it out");
        }
        return terminal;
    }

    private static BoxFrame request(Terminal size, List<String> command) {
        return request(size.rows(), size.columns(), command);
    }

    private static BoxFrame request(int rows, int columns, List<String> command) {
        List<String> words = new ArrayList<>(List.of(Integer.toString(rows), Integer.toString(columns)));
        words.addAll(command);
        return BoxFrame.of(BoxFrame.EXEC, words);
    }

    private static int plain(BoxClient box, List<String> command, Arguments arguments, Stdio stdio) throws IOException {
        boolean json = arguments.has(Option.JSON);
        Relay relay = new Relay(stdio, arguments.has(RunOptions.RAW));
        box.send(request(0, 0, command));
        if (arguments.has(INPUT)) {
            Thread.ofPlatform().daemon().name("cordon-input").start(() -> feed(box, stdio.in()));
        } else {
            endInput(box);
        }
        while (true) {
            BoxFrame frame = box.receive();
            switch (frame.kind()) {
                case BoxFrame.STDOUT -> {
                    if (!json) {
                        relay.output(OutputListener.Source.STDOUT, frame.content());
                    }
                }
                case BoxFrame.STDERR -> {
                    if (!json) {
                        relay.output(OutputListener.Source.STDERR, frame.content());
                    }
                }
                case BoxFrame.RESULT -> {
                    relay.finish();
                    return report(frame.words(), json, stdio);
                }
                default -> throw new IOException("an answer that is not understood");
            }
        }
    }

    private static int report(List<String> end, boolean json, Stdio stdio) throws IOException {
        if (json && end.size() > 1) {
            stdio.print((stdio.outIsTerminal() ? TerminalText.json(end.get(1)) : end.get(1)) + "\n");
        } else {
            end.stream().skip(2).forEach(stdio::message);
        }
        return Integer.parseInt(end.getFirst());
    }

    private static void feed(BoxClient box, InputStream from) {
        byte[] piece = new byte[PIECE];
        try {
            int got = from.read(piece);
            while (got >= 0) {
                box.send(new BoxFrame(BoxFrame.INPUT, Arrays.copyOf(piece, got)));
                got = from.read(piece);
            }
            endInput(box);
        } catch (IOException over) {
            return;
        }
    }

    private static void endInput(BoxClient box) {
        try {
            box.send(BoxFrame.of(BoxFrame.INPUT_END));
        } catch (IOException over) {
            // A quick command has ended by now, and its result is on its way to us.
            return;
        }
    }

    private static int inTerminal(BoxClient box, List<String> command, HostTerminal terminal, Stdio stdio)
            throws IOException {
        box.send(request(terminal.size(), command));
        CompletableFuture<List<String>> end = new CompletableFuture<>();
        PipedOutputStream heard = new PipedOutputStream();
        PipedInputStream screen = new PipedInputStream(heard, PIPE);
        Thread.ofPlatform().daemon().name("cordon-screen").start(() -> receive(box, heard, end));
        new TerminalSession(stdio, terminal).relay(keys(box), screen, size -> resize(box, size));
        List<String> words = end.join();
        return report(words, false, stdio);
    }

    private static void receive(BoxClient box, OutputStream screen, CompletableFuture<List<String>> end) {
        try (screen) {
            BoxFrame frame = box.receive();
            while (frame.kind() != BoxFrame.RESULT) {
                screen.write(frame.content());
                screen.flush();
                frame = box.receive();
            }
            end.complete(frame.words());
        } catch (IOException gone) {
            end.complete(List.of(Integer.toString(LOST), "", "the sandbox is gone"));
        }
    }

    private static OutputStream keys(BoxClient box) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                box.send(new BoxFrame(BoxFrame.INPUT, Arrays.copyOfRange(bytes, offset, offset + length)));
            }
        };
    }

    private static void resize(BoxClient box, Terminal size) {
        try {
            box.send(BoxFrame.of(BoxFrame.RESIZE, Integer.toString(size.rows()), Integer.toString(size.columns())));
        } catch (IOException gone) {
            return;
        }
    }
}
