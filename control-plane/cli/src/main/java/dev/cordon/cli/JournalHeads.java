package dev.cordon.cli;

import dev.cordon.audit.HeadJournal;
import dev.cordon.audit.Verifier;
import dev.cordon.cli.service.ServiceClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The heads of a log that the system's journal keeps. Any user may write into the journal, so that only those count which the kernel says
 * are from the log's own user, or root; of these all must stand in the log.
 */
record JournalHeads(String journalctl) {
    /** As many as anybody keeps; the newest are the ones that prove most. */
    private static final int MOST = 100_000;

    /** @param since what journalctl(1) takes for --since; empty for all */
    List<Verifier.Anchor> of(Path directory, Optional<String> since) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                journalctl, "--output=json", "--no-pager", "--quiet", "--identifier=" + HeadJournal.IDENTIFIER));
        command.add("--lines=" + MOST);
        since.ifPresent(time -> command.add("--since=" + time));
        Path real = directory.toRealPath();
        Set<String> writers = Set.copyOf(List.of("0", String.valueOf(Files.getAttribute(real, "unix:uid"))));
        Set<String> names = Set.copyOf(
                List.of(real.toString(), directory.toAbsolutePath().normalize().toString()));
        List<Verifier.Anchor> heads = new ArrayList<>();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                head(line, names, writers).ifPresent(heads::add);
            }
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(
                        journalctl + " ended with " + code + "; may this user read the system's journal?");
            }
            return heads;
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static Optional<Verifier.Anchor> head(String line, Set<String> directories, Set<String> writers) {
        try {
            JsonNode entry = ServiceClient.MAPPER.readTree(line);
            String head = entry.path(HeadJournal.SEQUENCE).asString("") + ":"
                    + entry.path(HeadJournal.HASH).asString("");
            return directories.contains(entry.path(HeadJournal.DIRECTORY).asString(""))
                            && writers.contains(entry.path("_UID").asString(""))
                    ? Optional.of(Verifier.Anchor.parse(head))
                    : Optional.empty();
        } catch (JacksonException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
