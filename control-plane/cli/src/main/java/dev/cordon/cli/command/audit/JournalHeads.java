package dev.cordon.cli.command.audit;

import dev.cordon.audit.verify.HeadJournal;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.cli.client.ServiceClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The heads of a log that the system's journal keeps. Any user may write into the journal, so that only those count which the kernel says
 * are from the log's own user, or root; of these all must stand in the log. What others wrote about it is told. All entries are read, so
 * that nobody pushes an old head out of sight by writing many others.
 *
 * @param journalctl the program
 * @param most       how many different heads are kept in memory; more are refused, none is left out
 */
record JournalHeads(String journalctl, int most) {
    /** For {@link #most}, where nothing else is said. */
    static final int MOST = 200_000;

    private static final int MOST_STRANGERS = 8;

    /**
     * What the journal has.
     *
     * @param heads of the log's user
     * @param notes what else it has about the log
     */
    record Found(List<LogVerifier.Anchor> heads, List<String> notes) {
        Found {
            heads = List.copyOf(heads);
            notes = List.copyOf(notes);
        }
    }

    /** @param since what journalctl(1) takes for --since; empty for all */
    Found of(Path directory, Optional<String> since) throws IOException {
        Path named = directory.toAbsolutePath().normalize();
        if (Files.isSymbolicLink(named)) {
            throw new IOException(
                    named + " is a symbolic link, and the journal has heads by the name of the log's directory;"
                            + " name the directory itself with --dir");
        }
        Path real = named.toRealPath();
        Set<String> names = new TreeSet<>(List.of(real.toString(), named.toString()));
        Reading reading =
                new Reading(names, Set.copyOf(List.of("0", String.valueOf(Files.getAttribute(real, "unix:uid")))));
        Process process = new ProcessBuilder(command(names, since))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reading.take(line);
                if (reading.heads.size() > most) {
                    throw new IOException("the journal has more than " + most + " heads of the log in " + named
                            + "; name a time with --since, and verify an archive with --heads for what is older");
                }
            }
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(
                        journalctl + " ended with " + code + "; may this user read the system's journal?");
            }
            return new Found(List.copyOf(reading.heads), reading.notes());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroy();
        }
    }

    /** The journal looks for the entries itself: one value of each field must be there. */
    private List<String> command(Set<String> directories, Optional<String> since) {
        List<String> command = new ArrayList<>(List.of(
                journalctl,
                "--output=json",
                "--output-fields="
                        + String.join(",", HeadJournal.SEQUENCE, HeadJournal.HASH, HeadJournal.DIRECTORY, "_UID"),
                "--no-pager",
                "--quiet"));
        since.ifPresent(time -> command.add("--since=" + time));
        command.add("SYSLOG_IDENTIFIER=" + HeadJournal.IDENTIFIER);
        directories.forEach(directory -> command.add(HeadJournal.DIRECTORY + "=" + directory));
        return command;
    }

    /** What was read of it up to now. */
    private static final class Reading {
        private final Set<String> directories;
        private final Set<String> writers;
        private final Set<LogVerifier.Anchor> heads = new LinkedHashSet<>();
        private final Set<String> strangers = new TreeSet<>();
        private long strange;
        private long unreadable;

        Reading(Set<String> directories, Set<String> writers) {
            this.directories = directories;
            this.writers = writers;
        }

        void take(String line) {
            try {
                JsonNode entry = ServiceClient.MAPPER.readTree(line);
                if (!directories.contains(entry.path(HeadJournal.DIRECTORY).asString(""))) {
                    return;
                }
                String writer = entry.path("_UID").asString("");
                if (!writers.contains(writer)) {
                    strange++;
                    if (strangers.size() < MOST_STRANGERS) {
                        strangers.add(writer.replaceAll("[^0-9]", "?"));
                    }
                    return;
                }
                heads.add(LogVerifier.Anchor.parse(
                        entry.path(HeadJournal.SEQUENCE).asString("") + ":"
                                + entry.path(HeadJournal.HASH).asString("")));
            } catch (JacksonException | IllegalArgumentException e) {
                unreadable++;
            }
        }

        List<String> notes() {
            List<String> notes = new ArrayList<>();
            if (strange > 0) {
                notes.add(
                        "WARNING: the journal has " + strange + " heads of this log from other users, uids " + strangers
                                + (strangers.size() == MOST_STRANGERS ? " and perhaps more" : "")
                                + ", which are not its owner " + writers
                                + ": they were not compared. Somebody forges heads, or the"
                                + " log was another user's");
            }
            if (unreadable > 0) {
                notes.add("WARNING: the journal has " + unreadable
                        + " entries that are not heads under the name of this log");
            }
            return notes;
        }
    }
}
