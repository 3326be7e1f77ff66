package dev.cordon.cli;

import dev.cordon.config.Config;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;

/** {@code cordon cp}: one file into a sandbox that is open, or out of it. */
final class CpCommand implements Command {
    private static final int FAILED = 125;
    private static final int PIECE = 1 << 20;
    private static final int EXECUTABLE = 0100;
    private static final int PLAIN_MODE = 0644;
    private static final int PROGRAM_MODE = 0755;

    /**
     * One side of the copy.
     *
     * @param box  the sandbox; empty for this host
     * @param path the file
     */
    private record Place(String box, String path) {
        static Place of(String text) {
            int colon = text.indexOf(':');
            int slash = text.indexOf('/');
            return colon > 0 && (slash < 0 || colon < slash)
                    ? new Place(text.substring(0, colon), text.substring(colon + 1))
                    : new Place("", text);
        }

        boolean inside() {
            return !box.isEmpty();
        }

        /** Like a shell's there: what is not absolute is below /workspace; a directory's name takes the source's along. */
        String insidePath(String source) {
            String named = path.isEmpty() || path.endsWith("/") ? path + source : path;
            return named.startsWith("/") ? named : "/workspace/" + named;
        }
    }

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
        return List.of(Option.CONFIG);
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
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        if (arguments.operands().size() != 2) {
            throw new UsageError("one source and one target are needed; try: cordon cp data.csv BOX:");
        }
        Place source = Place.of(arguments.operands().getFirst());
        Place target = Place.of(arguments.operands().getLast());
        if (source.inside() == target.inside()) {
            throw new UsageError("exactly one of " + source.path() + " and " + target.path()
                    + " must be in a sandbox, written as BOX:PATH");
        }
        Config config = Opening.config(arguments);
        String id = new Boxes(config).named(source.inside() ? source.box() : target.box());
        try (BoxClient box = BoxClient.to(config, id)) {
            return source.inside()
                    ? get(box, source, local(target.path()), stdio)
                    : put(box, local(source.path()), target, stdio);
        } catch (IOException e) {
            stdio.message("not copied: " + e.getMessage());
            return FAILED;
        }
    }

    private static Path local(String text) throws UsageError {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageError(text + " is no path: " + e.getReason());
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static int put(BoxClient box, Path source, Place target, Stdio stdio) throws IOException {
        if (!Files.isRegularFile(source)) {
            throw new IOException(source + " is not a regular file; for a directory see cordon cp --help");
        }
        boolean program = Files.getAttribute(source, "unix:mode") instanceof Integer mode && (mode & EXECUTABLE) != 0;
        String path = target.insidePath(name(source));
        try (InputStream content = Files.newInputStream(source);
                TransferBar bar = new TransferBar(stdio, Files.size(source))) {
            box.send(BoxFrame.of(BoxFrame.PUT, path, Integer.toString(program ? PROGRAM_MODE : PLAIN_MODE)));
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

    /** Written beside the target first: a copy that fails leaves what was there. */
    private static int get(BoxClient box, Place source, Path target, Stdio stdio) throws IOException {
        String path = source.insidePath("");
        Path file = Files.isDirectory(target) ? target.resolve(name(Path.of(path))) : target;
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + " is not a place for a file");
        }
        Path unfinished = Files.createTempFile(folder, ".cordon-", ".part");
        try {
            box.send(BoxFrame.of(BoxFrame.GET, path));
            int code = receive(box, unfinished, stdio);
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
