package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TransferBar;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** {@code cordon cp}: one file into a sandbox that is open, or out of it. */
public final class CpCommand {
    private CpCommand() {}

    public static CommandSpec spec() {
        return new CommandSpec(
                "cp", "SRC DST", CpCommand::run, List.of(CommandOption.CONFIG, CommandOption.LOCAL), """
                    Copy a file into a sandbox that is open, or out of it.

                    One of SRC and DST is BOX:PATH, the other a file of this host. BOX is an id or a part of it; a PATH
                    that is not absolute is below /workspace. Regular files only, links are not followed.\
                    """, """

                        Directories travel as an archive:
                          tar c data | cordon exec -i BOX tar x
                        Examples:
                          cordon cp data.csv box_01J:
                          cordon cp box_01J:result.png .\
                        """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        CopyPlaces places = CopyPlaces.of(arguments);
        SandboxGateway sandboxes = SandboxGateway.of(arguments, stdio);
        String id = sandboxes.named(places.box());
        try {
            if (places.source().inside()) {
                fetch(sandboxes, id, places, stdio);
            } else {
                put(sandboxes, id, places, stdio);
            }
            return 0;
        } catch (IOException e) {
            throw new CommandFailure(CommandFailure.FAILED, "not copied: " + e.getMessage());
        }
    }

    private static void put(SandboxGateway sandboxes, String id, CopyPlaces places, StandardStreams stdio)
            throws CommandFailure, IOException {
        places.checkRegular();
        try (InputStream content = Files.newInputStream(places.local());
                TransferBar bar = new TransferBar(stdio, Files.size(places.local()))) {
            sandboxes.put(id, places.insidePath(), places.mode(), bar.over(content));
        }
    }

    /** Written beside the target first: a copy that fails leaves what was there. */
    private static void fetch(SandboxGateway sandboxes, String id, CopyPlaces places, StandardStreams stdio)
            throws CommandFailure, IOException {
        Path file = places.file();
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + " is not a place for a file");
        }
        try (SandboxGateway.Content content = sandboxes.open(id, places.insidePath())) {
            Path unfinished = Files.createTempFile(folder, ".cordon-", ".part");
            try {
                try (OutputStream out = Files.newOutputStream(unfinished);
                        TransferBar bar = new TransferBar(stdio, content.size())) {
                    content.copyTo(bar.over(out));
                }
                Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        }
    }
}
