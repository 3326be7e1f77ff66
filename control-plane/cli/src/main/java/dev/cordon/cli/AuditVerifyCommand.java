package dev.cordon.cli;

import dev.cordon.audit.Verification;
import dev.cordon.audit.VerificationJson;
import dev.cordon.audit.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code cordon audit verify}: whether the log is as it was written. */
final class AuditVerifyCommand implements Command {

    static final Option HEAD = Option.list(
            "--head",
            "SEQUENCE:SHA256",
            "A record that was printed by an earlier verify and kept elsewhere. Repeatable.");
    static final int BROKEN = 1;

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
                "Whoever may write the log can write both anew from some record on. Against that, keep the head",
                "that this command prints on another machine, and give it back with --head. Ends with 1 when",
                "something is wrong.");
    }

    @Override
    public List<Option> options() {
        return List.of(HEAD, Option.DIRECTORY, Option.CONFIG, Option.LOCAL, Option.JSON, Option.COLOR);
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
        List<Verifier.Anchor> anchors = anchors(arguments);
        Path directory = AuditText.directory(arguments);
        if (!Files.isDirectory(directory)) {
            String reason = "there is no log in " + directory + "; name its directory with --dir";
            return missing(directory, reason, arguments, stdio);
        }
        Verification found = Verifier.verify(directory, anchors);
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

    /** A log that is not there is not intact. */
    static int missing(Path directory, String reason, Arguments arguments, Stdio stdio) throws IOException {
        stdio.message(reason);
        if (arguments.has(Option.JSON)) {
            Verification.Breakage missing = new Verification.Breakage(directory, 0, reason);
            stdio.print(VerificationJson.of(new Verification(0, 0, 0, 0, "", null, missing, List.of())) + "\n");
        }
        return BROKEN;
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
        text.append("intact");
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
