package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.box.BoxConnection;
import dev.cordon.cli.box.BoxFrame;
import dev.cordon.cli.terminal.CommandFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A file that comes out of a sandbox of another process.
 *
 * @param box  the connection, which ends with it
 * @param size its bytes
 */
record BoxFile(BoxConnection box, long size) implements SandboxGateway.Content {
    static BoxFile open(BoxConnection box, String path) throws CommandFailure, IOException {
        try {
            box.send(BoxFrame.of(BoxFrame.GET, path));
            BoxFrame first = box.receive();
            check(first);
            return new BoxFile(box, Long.parseLong(first.words().getFirst()));
        } catch (CommandFailure | IOException e) {
            box.close();
            throw e;
        }
    }

    /** Whether a frame tells of a failure. */
    static void check(BoxFrame frame) throws CommandFailure {
        List<String> words = frame.words();
        if (frame.kind() == BoxFrame.RESULT && words.size() > 2) {
            throw new CommandFailure(Integer.parseInt(words.getFirst()), words.subList(2, words.size()));
        }
    }

    @Override
    public void copyTo(OutputStream out) throws CommandFailure, IOException {
        BoxFrame frame = box.receive();
        while (frame.kind() != BoxFrame.RESULT) {
            out.write(frame.content());
            frame = box.receive();
        }
        check(frame);
    }

    @Override
    public void close() throws IOException {
        box.close();
    }
}
