package dev.cordon.cli;

import dev.cordon.config.Config;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** {@code cordon cp}: one file into a sandbox that is open, or out of it. */
final class CpCommand implements Command {
    static final int FAILED = 125;
    private static final int PIECE = 1 << 20;

    @Override
    public String name() {
        return "cp";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Copy a file into a sandbox that is open, or out of it.",
                "",
                "One of SRC and DST is BOX:PATH, the other a file of this host. BOX is an id or a part of it; a PATH",
                "that is not absolute is below /workspace. Regular files only, links are not followed.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.CONFIG, Option.LOCAL);
    }

    @Override
    public String operands() {
        return "SRC DST";
    }

    @Override
    public List<String> footer() {
        return List.of(
                "",
                "Directories travel as an archive:",
                "  tar c data | cordon exec -i BOX tar x",
                "Examples:",
                "  cordon cp data.csv box_01J:",
                "  cordon cp box_01J:result.png .");
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteCp());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        CopyPlaces places = CopyPlaces.of(arguments);
        Config config = Opening.config(arguments);
        String id = new Boxes(config).named(places.box());
        try (BoxClient box = BoxClient.to(config, id)) {
            return places.source().inside()
                    ? received(places, file -> {
                        box.send(BoxFrame.of(BoxFrame.GET, places.insidePath()));
                        return receive(box, file, stdio);
                    })
                    : put(box, places, stdio);
        } catch (IOException e) {
            stdio.message("not copied: " + e.getMessage());
            return FAILED;
        }
    }

    private static int put(BoxClient box, CopyPlaces places, Stdio stdio) throws IOException {
        places.checkRegular();
        try (InputStream content = Files.newInputStream(places.local());
                TransferBar bar = new TransferBar(stdio, Files.size(places.local()))) {
            box.send(BoxFrame.of(BoxFrame.PUT, places.insidePath(), Integer.toString(places.mode())));
            byte[] piece = new byte[PIECE];
            int got = content.read(piece);
            while (got >= 0) {
                box.send(new BoxFrame(BoxFrame.INPUT, Arrays.copyOf(piece, got)));
                bar.moved(got);
                got = content.read(piece);
            }
            box.send(BoxFrame.of(BoxFrame.INPUT_END));
        }
        return report(box.receive(), stdio);
    }

    private static int report(BoxFrame end, Stdio stdio) {
        end.words().stream().skip(2).forEach(stdio::message);
        return Integer.parseInt(end.words().getFirst());
    }

    /** Fetches content into a file. */
    @FunctionalInterface
    interface Fetch<E extends Exception> {
        /** The exit code. */
        int into(Path file) throws IOException, E;
    }

    /** Written beside the target first: a copy that fails leaves what was there. */
    static <E extends Exception> int received(CopyPlaces places, Fetch<E> fetch) throws IOException, E {
        Path file = places.file();
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + " is not a place for a file");
        }
        Path unfinished = Files.createTempFile(folder, ".cordon-", ".part");
        try {
            int code = fetch.into(unfinished);
            if (code == 0) {
                Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
            }
            return code;
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static int receive(BoxClient box, Path file, Stdio stdio) throws IOException {
        BoxFrame frame = box.receive();
        long size = frame.kind() == BoxFrame.SIZE ? Long.parseLong(frame.words().getFirst()) : 0;
        try (OutputStream content = Files.newOutputStream(file);
                TransferBar bar = new TransferBar(stdio, size)) {
            while (frame.kind() != BoxFrame.RESULT) {
                if (frame.kind() == BoxFrame.STDOUT) {
                    content.write(frame.content());
                    bar.moved(frame.content().length);
                }
                frame = box.receive();
            }
        }
        return report(frame, stdio);
    }
}
