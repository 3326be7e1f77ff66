package dev.cordon.cli.command.audit;

import dev.cordon.audit.file.VerifyingKey;
import dev.cordon.audit.verify.AuditFollower;
import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.AuditReader.Visitor;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.audit.verify.LogVerification;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.audit.verify.VerificationJson;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** The log that the settings or {@code --dir} name. */
final class LocalAudit implements AuditGateway {
    private static final long LOOK_MILLIS = 200;
    private static final int AT_ONCE = 1000;
    private static final Pattern ANCHOR = Pattern.compile("(?<![0-9a-f:])([0-9]{1,18}:[0-9a-f]{64})(?![0-9a-f])");

    private final ParsedArguments arguments;
    private final StandardStreams stdio;
    private final Path directory;
    private final AuditReader reader;

    LocalAudit(ParsedArguments arguments, StandardStreams stdio) {
        this.arguments = arguments;
        this.stdio = stdio;
        this.directory = arguments
                .value(CommandOption.DIRECTORY)
                .map(Path::of)
                .orElseGet(() -> CordonOpening.config(arguments).audit().directory());
        this.reader = new AuditReader(directory);
    }

    private boolean exists() {
        if (!reader.exists()) {
            stdio.message("there is no log in " + directory + " yet; cordon run writes it, audit.directory moves it");
        }
        return reader.exists();
    }

    @Override
    public void read(Filter filter, Visitor visitor) throws IOException {
        if (exists()) {
            reader.read(record -> !filter.passes(record) || visitor.visit(record));
        }
    }

    @Override
    public void tail(int count, Filter filter, boolean follow, Visitor visitor) throws IOException {
        long[] last = {0};
        List<AuditRecord> there = !exists()
                ? List.of()
                : reader.last(count, record -> {
                    last[0] = record.sequence();
                    return filter.passes(record);
                });
        visit(there, filter, visitor);
        AuditFollower log = AuditFollower.after(directory, last[0]);
        while (follow) {
            List<AuditRecord> more = log.next(AT_ONCE);
            visit(more, filter, visitor);
            if (more.isEmpty()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
            }
        }
    }

    private static void visit(List<AuditRecord> records, Filter filter, Visitor visitor) throws IOException {
        for (AuditRecord record : records) {
            if (filter.passes(record)) {
                boolean _ = visitor.visit(record);
            }
        }
    }

    @Override
    public List<AuditRecord> about(String wanted) throws IOException {
        return exists()
                ? reader.last(
                        Integer.MAX_VALUE,
                        record -> record.text("job").equals(wanted)
                                || record.text("object").equals(wanted)
                                || record.text("sequence").equals(wanted))
                : List.of();
    }

    @Override
    public Verified verify(List<LogVerifier.Anchor> heads) throws CommandFailure, IOException {
        if (!Files.isDirectory(directory)) {
            return Verified.missing(directory, "there is no log in " + directory + "; name its directory with --dir");
        }
        List<VerifyingKey> keys = new ArrayList<>();
        JournalHeads.Found kept;
        try {
            kept = kept();
            for (String file : arguments.values(AuditVerifyCommand.KEY)) {
                keys.add(VerifyingKey.read(Path.of(file)));
            }
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw new UsageError(e.getFile() + ": cannot be read");
        } catch (IOException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
        LogVerification found =
                LogVerifier.verify(directory, heads, kept.heads(), keys).noting(kept.notes());
        return new Verified(found, VerificationJson.of(found), null);
    }

    /** What was kept elsewhere. Where nothing was, nothing vouches for the log, and somebody who asked for it must know. */
    private JournalHeads.Found kept() throws UsageError, IOException {
        List<LogVerifier.Anchor> anchors = new ArrayList<>();
        for (String file : arguments.values(AuditVerifyCommand.HEADS)) {
            List<LogVerifier.Anchor> found = ANCHOR.matcher(
                            Files.readString(Path.of(file), StandardCharsets.ISO_8859_1))
                    .results()
                    .map(match -> LogVerifier.Anchor.parse(match.group(1)))
                    .toList();
            if (found.isEmpty()) {
                throw new UsageError("--heads: " + file + " has no SEQUENCE:SHA256; name the file that has them");
            }
            anchors.addAll(found);
        }
        if (!arguments.has(AuditVerifyCommand.JOURNAL)) {
            return new JournalHeads.Found(anchors, List.of());
        }
        JournalHeads.Found found = new JournalHeads("journalctl", JournalHeads.MOST)
                .of(directory, arguments.value(AuditVerifyCommand.SINCE));
        if (found.heads().isEmpty()) {
            throw new IOException("the journal has no head of the log in " + directory
                    + ": nothing there vouches for it; see audit.journal, or read the journal as root"
                    + (found.notes().isEmpty() ? "" : ". " + String.join(". ", found.notes())));
        }
        anchors.addAll(found.heads());
        return new JournalHeads.Found(anchors, found.notes());
    }
}
