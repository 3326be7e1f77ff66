package dev.cordon.cli.command.host;

import dev.cordon.cli.parse.ColourChoice;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import dev.cordon.doctor.HostCheck;
import dev.cordon.doctor.HostDiagnosis;
import java.io.IOException;
import java.util.List;

/** {@code cordon doctor}: what this host offers, and the command that mends what it lacks. */
public final class DoctorCommand {
    private static final int ID_WIDTH = 17;
    private static final String INDENT = " ".repeat(6 + ID_WIDTH);

    private DoctorCommand() {}

    public static CommandSpec spec() {
        List<CommandOption> options =
                List.of(CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.JSON, CommandOption.COLOR);
        return new CommandSpec("doctor", "", DoctorCommand::run, options, """
            Check this host: what jobs can expect of it, and what to do about the rest.

            PASS is as it should be, WARN is a weakness that jobs run with, FAIL keeps jobs from running,
            INFO is worth knowing. One jail is made on the way and gone afterwards; nothing else is
            touched. Ends with 1 when something failed.\
            """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        DoctorGateway doctor = DoctorGateway.of(arguments, stdio);
        ColourChoice colour = ColourChoice.of(arguments, stdio.outIsTerminal(), stdio);
        DoctorGateway.Findings found = doctor.look();
        HostDiagnosis diagnosis = found.diagnosis();
        if (arguments.has(CommandOption.JSON)) {
            stdio.print(found.json() + "\n");
        } else if (diagnosis != null) {
            stdio.print(table(diagnosis, colour));
        } else {
            stdio.print(found.usable() ? "jobs can run here\n" : "jobs cannot run here\n");
            stdio.message("the checks are for administrators of the service; --local checks this host");
        }
        return found.usable() ? 0 : 1;
    }

    private static String table(HostDiagnosis diagnosis, ColourChoice colour) {
        StringBuilder text = new StringBuilder();
        for (HostCheck check : diagnosis.checks()) {
            String name = TerminalText.visible(check.id());
            String id = name + " ".repeat(Math.max(1, ID_WIDTH - name.length()));
            text.append(colour.status(check.status()) + "  " + id + TerminalText.visible(check.found()) + "\n");
            if (check.status() == HostCheck.Status.WARN || check.status() == HostCheck.Status.FAIL) {
                text.append(INDENT + "why: " + TerminalText.visible(check.why()) + "\n");
                text.append(INDENT + "fix: " + TerminalText.visible(check.remedy()) + "\n");
            }
        }
        return text + "\n" + diagnosis.count(HostCheck.Status.PASS) + " passed, "
                + diagnosis.count(HostCheck.Status.WARN) + " warnings, "
                + diagnosis.count(HostCheck.Status.FAIL) + " failed: "
                + (diagnosis.usable() ? "jobs can run here\n" : "jobs cannot run here\n");
    }
}
