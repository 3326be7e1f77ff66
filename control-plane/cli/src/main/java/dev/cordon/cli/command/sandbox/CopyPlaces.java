package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Both sides of a copy: one in a sandbox, one on this host.
 *
 * @param source where it comes from
 * @param target where it goes
 * @param local  the one on this host
 */
record CopyPlaces(Place source, Place target, Path local) {
    private static final int EXECUTABLE = 0100;
    private static final int PLAIN_MODE = 0644;
    private static final int PROGRAM_MODE = 0755;

    /**
     * One side of the copy.
     *
     * @param box  the sandbox; empty for this host
     * @param path the file
     */
    record Place(String box, String path) {
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

    /**
     * The operands of {@code cordon cp}.
     *
     * @throws UsageError when they are not one of each
     */
    static CopyPlaces of(ParsedArguments arguments) throws UsageError {
        if (arguments.operands().size() != 2) {
            throw new UsageError("one source and one target are needed; try: cordon cp data.csv BOX:");
        }
        Place source = Place.of(arguments.operands().getFirst());
        Place target = Place.of(arguments.operands().getLast());
        if (source.inside() == target.inside()) {
            throw new UsageError("exactly one of " + source.path() + " and " + target.path()
                    + " must be in a sandbox, written as BOX:PATH");
        }
        return new CopyPlaces(source, target, local(source.inside() ? target.path() : source.path()));
    }

    private static Path local(String text) throws UsageError {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageError(text + " is not a path: " + e.getReason());
        }
    }

    /** The sandbox. */
    String box() {
        return source.inside() ? source.box() : target.box();
    }

    /** The path in it. */
    String insidePath() {
        return source.inside() ? source.insidePath("") : target.insidePath(name(local));
    }

    /** Checks that what goes in is a file. */
    void checkRegular() throws IOException {
        if (!Files.isRegularFile(local)) {
            throw new IOException(local + " is not a regular file; for a directory see cordon cp --help");
        }
    }

    /** What the copy in the sandbox may be used for. */
    int mode() throws IOException {
        boolean program = Files.getAttribute(local, "unix:mode") instanceof Integer mode && (mode & EXECUTABLE) != 0;
        return program ? PROGRAM_MODE : PLAIN_MODE;
    }

    /** The file on this host that what comes out is written to. */
    Path file() {
        return Files.isDirectory(local) ? local.resolve(name(Path.of(insidePath()))) : local;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
