package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.api.Job;
import dev.cordon.api.Result;
import dev.cordon.config.Config;
import dev.cordon.host.AuditCheck;
import dev.cordon.host.Check;
import dev.cordon.host.Diagnosis;
import dev.cordon.host.DiagnosisJson;
import dev.cordon.host.Doctor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** {@code cordon doctor}: what this host offers, and the command that mends what it lacks. */
final class DoctorCommand implements Command {

    private static final int ID_WIDTH = 17;
    private static final String INDENT = " ".repeat(6 + ID_WIDTH);

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Check this host: what jobs can expect of it, and what to do about the rest.",
                "",
                "PASS is as it should be, WARN is a weakness that jobs run with, FAIL keeps jobs from running,",
                "INFO is worth knowing. One jail is made on the way and gone afterwards; nothing else is",
                "touched. Ends with 1 when something failed.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.CONFIG, Option.LOCAL, Option.JSON, Option.COLOR);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteDoctor());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        Colour colour = Colour.of(arguments, stdio.outIsTerminal(), stdio);
        Config config = Opening.config(arguments).recorded();
        Diagnosis diagnosis = Doctor.ofThisHost(job -> tryJob(job, arguments), config.stateDirectory())
                .run()
                .and(AuditCheck.of(config.audit()))
                .and(AuditCheck.anchors(config.audit()));
        stdio.print(arguments.has(Option.JSON) ? DiagnosisJson.of(diagnosis) + "\n" : table(diagnosis, colour));
        return diagnosis.usable() ? 0 : 1;
    }

    private static Result tryJob(Job job, Arguments arguments) {
        try (Cordon cordon = Opening.of(arguments)) {
            return cordon.run(job);
        }
    }

    static String table(Diagnosis diagnosis, Colour colour) {
        StringBuilder text = new StringBuilder();
        for (Check check : diagnosis.checks()) {
            text.append(colour.status(check.status()))
                    .append("  ")
                    .append(check.id())
                    .append(" ".repeat(Math.max(1, ID_WIDTH - check.id().length())))
                    .append(TerminalText.visible(check.found()))
                    .append('\n');
            if (check.status() == Check.Status.WARN || check.status() == Check.Status.FAIL) {
                text.append(INDENT).append("why: ").append(check.why()).append('\n');
                text.append(INDENT)
                        .append("fix: ")
                        .append(TerminalText.visible(check.remedy()))
                        .append('\n');
            }
        }
        return text.append('\n')
                .append(diagnosis.count(Check.Status.PASS))
                .append(" passed, ")
                .append(diagnosis.count(Check.Status.WARN))
                .append(" warnings, ")
                .append(diagnosis.count(Check.Status.FAIL))
                .append(" failed: ")
                .append(diagnosis.usable() ? "jobs can run here\n" : "jobs cannot run here\n")
                .toString();
    }
}
