package dev.cordon.cli;

import dev.cordon.audit.Verification;
import dev.cordon.audit.VerificationJson;
import dev.cordon.audit.Verifier;
import dev.cordon.audit.VerifyingKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** {@code cordon audit verify}: whether the log is as it was written. */
final class AuditVerifyCommand implements Command {

    static final Option HEAD = Option.list(
            "--head",
            "SEQUENCE:SHA256",
            "A record that was printed by an earlier verify and kept elsewhere. Repeatable.");
    private static final Option HEADS = Option.list(
            "--heads",
            "FILE",
            "Every SEQUENCE:SHA256 in this file, such as lines of syslog about this log. Repeatable.");
    private static final Option JOURNAL =
            Option.flag("--journal", "Every head of this log that the system's journal has.");
    private static final Option SINCE = Option.value(
            "--since",
            "TIME",
            "Of the journal only what is newer, as journalctl(1) reads it: the log was begun anew then.");
    private static final Option KEY = Option.list(
            "--key", "FILE", "The public key of the signatures in the log (cordon audit keygen). Repeatable.");

    /** What is judged by this process alone. */
    static final List<Option> HERE = List.of(HEADS, JOURNAL, SINCE, KEY);

    static final int BROKEN = 1;

    private static final Pattern ANCHOR = Pattern.compile("(?<![0-9a-f:])([0-9]{1,18}:[0-9a-f]{64})(?![0-9a-f])");

    @Override
    public String name() {
        return "verify";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Check every record of the log, and name the first that is not as it was written.",
                "",
                "Changed, removed and swapped records are found by the chain of hashes, a cut end by the head file,",
                "files that are gone from the beginning by the record that audit.keep leaves of what it removes.",
                "Whoever may write the log can cut it or write it anew together with its head; without more, the",
                "log is consistent, not anchored. Against that: heads that were kept elsewhere, as the journal",
                "keeps those that a service sends (--journal), a file has them (--heads) or this command printed",
                "them (--head); and signatures, against whoever has not the key (--key). What comes after the last",
                "record that one of them vouches for is consistent, no more. Ends with 1 when something is wrong.");
    }

    @Override
    public List<Option> options() {
        return List.of(
                HEAD,
                HEADS,
                JOURNAL,
                SINCE,
                KEY,
                Option.DIRECTORY,
                Option.CONFIG,
                Option.LOCAL,
                Option.JSON,
                Option.COLOR);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteAuditVerify());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        List<Verifier.Anchor> named = anchors(arguments);
        Path directory = AuditText.directory(arguments);
        if (!Files.isDirectory(directory)) {
            String reason = "there is no log in " + directory + "; name its directory with --dir";
            return missing(directory, reason, arguments, stdio);
        }
        List<VerifyingKey> keys = new ArrayList<>();
        JournalHeads.Found kept;
        try {
            kept = kept(arguments, directory);
            for (String file : arguments.values(KEY)) {
                keys.add(VerifyingKey.read(Path.of(file)));
            }
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw new UsageError(e.getFile() + ": cannot be read");
        } catch (IOException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
        Verification found =
                Verifier.verify(directory, named, kept.heads(), keys).noting(kept.notes());
        if (arguments.has(Option.JSON)) {
            stdio.print(VerificationJson.of(found) + "\n");
        } else {
            stdio.print(text(found));
        }
        return found.intact() ? 0 : BROKEN;
    }

    static List<Verifier.Anchor> anchors(Arguments arguments) throws UsageError {
        List<Verifier.Anchor> anchors = new ArrayList<>();
        for (String head : arguments.values(HEAD)) {
            try {
                anchors.add(Verifier.Anchor.parse(head));
            } catch (IllegalArgumentException e) {
                throw new UsageError("--head: " + e.getMessage());
            }
        }
        return anchors;
    }

    /** What was kept elsewhere. Where nothing was, nothing vouches for the log, and somebody who asked for it must know. */
    private static JournalHeads.Found kept(Arguments arguments, Path directory) throws UsageError, IOException {
        List<Verifier.Anchor> anchors = new ArrayList<>();
        for (String file : arguments.values(HEADS)) {
            List<Verifier.Anchor> found = ANCHOR.matcher(Files.readString(Path.of(file), StandardCharsets.ISO_8859_1))
                    .results()
                    .map(match -> Verifier.Anchor.parse(match.group(1)))
                    .toList();
            if (found.isEmpty()) {
                throw new UsageError("--heads: " + file + " has no SEQUENCE:SHA256; name the file that has them");
            }
            anchors.addAll(found);
        }
        if (!arguments.has(JOURNAL)) {
            return new JournalHeads.Found(anchors, List.of());
        }
        JournalHeads.Found found = new JournalHeads("journalctl").of(directory, arguments.value(SINCE));
        if (found.heads().isEmpty()) {
            throw new IOException("the journal has no head of the log in " + directory
                    + ": nothing there vouches for it; see audit.journal, or read the journal as root"
                    + (found.notes().isEmpty() ? "" : ". " + String.join(". ", found.notes())));
        }
        anchors.addAll(found.heads());
        return new JournalHeads.Found(anchors, found.notes());
    }

    /** A log that is not there is not intact. */
    static int missing(Path directory, String reason, Arguments arguments, Stdio stdio) throws IOException {
        stdio.message(reason);
        if (arguments.has(Option.JSON)) {
            Verification.Breakage missing = new Verification.Breakage(directory, 0, reason);
            stdio.print(VerificationJson.of(
                            new Verification(0, 0, 0, 0, "", null, Verification.Proof.NONE, missing, List.of()))
                    + "\n");
        }
        return BROKEN;
    }

    /** Only a head shows that nothing was cut off: a log that ends with a signature looks the same when more came after it. */
    private static String verdict(Verification found) {
        Verification.Proof proof = found.proof();
        if (found.records() == 0) {
            return "empty, not anchored";
        }
        if (proof.anchoredTo() >= found.last()) {
            return "intact";
        }
        if (proof.signedTo() > proof.anchoredTo()) {
            return "consistent, signed up to " + proof.signedTo();
        }
        return proof.anchoredTo() > 0 ? "consistent" : "consistent, not anchored";
    }

    static String text(Verification found) {
        StringBuilder text = new StringBuilder();
        found.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
        Verification.Breakage breakage = found.breakage();
        if (breakage != null) {
            text.append("BROKEN at ")
                    .append(breakage.file().getFileName())
                    .append(" line ")
                    .append(breakage.line())
                    .append(": ")
                    .append(breakage.reason())
                    .append('\n');
            return text.append(found.records())
                    .append(" records before it hold\n")
                    .toString();
        }
        Verification.Removal removal = found.removal();
        text.append(verdict(found));
        if (removal != null) {
            text.append(" from record ").append(found.first()).append(" on");
        }
        text.append(": ").append(found.records()).append(" records");
        if (found.records() > 0) {
            text.append(", ").append(found.first()).append(" to ").append(found.last());
        }
        text.append(", in ").append(found.files()).append(found.files() == 1 ? " file\n" : " files\n");
        if (removal != null) {
            text.append(removal.files())
                    .append(removal.files() == 1 ? " older file" : " older files")
                    .append(" with the records before it were removed by retention, the last at ")
                    .append(removal.time())
                    .append('\n');
        }
        Verification.Proof proof = found.proof();
        if (proof.anchoredTo() > 0) {
            text.append("anchored up to record ").append(proof.anchoredTo());
            text.append(proof.anchoredTo() >= found.last() ? "\n" : "; those after it are consistent, not anchored\n");
        }
        if (proof.signedTo() > proof.anchoredTo()) {
            text.append("signed up to record ")
                    .append(proof.signedTo())
                    .append("; signatures do not show whether records after it were cut off, heads do\n");
        }
        if (found.records() > 0) {
            text.append("head ")
                    .append(found.last())
                    .append(':')
                    .append(found.hash())
                    .append('\n');
        }
        return text.toString();
    }
}
