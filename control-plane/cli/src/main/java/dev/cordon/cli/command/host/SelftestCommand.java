package dev.cordon.cli.command.host;

import dev.cordon.Cordon;
import dev.cordon.cli.parse.ColourChoice;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import dev.cordon.selftest.ProbeReport;
import dev.cordon.selftest.Selftest;
import dev.cordon.selftest.SelftestJson;
import dev.cordon.selftest.SelftestOptions;
import dev.cordon.selftest.SelftestReport;
import dev.cordon.selftest.rig.ProbeVerdict;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** {@code cordon selftest}: hostile programs try to get out of jails on this host. */
public final class SelftestCommand {
    private static final CommandOption ONLY =
            CommandOption.list("--only", "ID", "Try this threat alone, such as A-05; may be repeated.");

    private static final Map<String, String> FAMILIES = Map.of(
            "A", "Handles, identity, start-up",
            "B", "Kernel surface",
            "C", "File systems",
            "D", "Processes, memory, time",
            "E", "Between jobs",
            "F", "Network");

    private static final int VERDICT_WIDTH = 16;

    private SelftestCommand() {}

    public static CommandSpec spec() {
        return new CommandSpec(
                "selftest", "", SelftestCommand::run, List.of(ONLY, CommandOption.JSON, CommandOption.COLOR), """
                    Try to get out of a jail on this host, as this user, in all the ways that Cordon knows.

                    Each attempt is made outside first, where it has to come through, then inside, where it has
                    to be refused. What could not be tried here says why. Nothing that lasts is changed; it takes
                    less than a minute. Ends with 1 when something got out, or when a probe proved nothing.\
                    """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws UsageError, IOException {
        ColourChoice colour = ColourChoice.of(arguments, stdio.outIsTerminal(), stdio);
        SelftestOptions options = options(arguments.values(ONLY));
        SelftestReport report = report(options, progress(stdio));
        stdio.overwrite("");
        stdio.print(arguments.has(CommandOption.JSON) ? SelftestJson.of(report) + "\n" : table(report, colour));
        return report.passed() ? 0 : 1;
    }

    private static SelftestOptions options(List<String> only) throws UsageError {
        if (only.isEmpty()) {
            return SelftestOptions.all();
        }
        Set<String> unknown = new HashSet<>(only);
        unknown.removeAll(Selftest.ids());
        if (!unknown.isEmpty()) {
            throw new UsageError("--only: no probe is called " + String.join(", ", unknown) + "; there are "
                    + String.join(" ", Selftest.ids()));
        }
        return SelftestOptions.only(Set.copyOf(only));
    }

    private static SelftestReport report(SelftestOptions options, Consumer<ProbeReport> progress) throws IOException {
        try (Cordon cordon = Cordon.open()) {
            return Selftest.run(cordon, options, progress);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** One line that is written over, for somebody who looks. */
    private static Consumer<ProbeReport> progress(StandardStreams stdio) {
        AtomicInteger done = new AtomicInteger();
        return probe -> stdio.overwrite(done.incrementAndGet() + " probes done, the last was " + probe.id());
    }

    static String table(SelftestReport report, ColourChoice colour) {
        StringBuilder text = new StringBuilder();
        String family = "";
        for (ProbeReport probe : report.probes()) {
            if (!probe.family().equals(family)) {
                family = probe.family();
                text.append((text.isEmpty() ? "" : "\n") + FAMILIES.getOrDefault(family, family) + "\n");
            }
            String verdict = word(probe.verdict());
            String padded = colour.verdict(probe.verdict(), verdict) + " ".repeat(VERDICT_WIDTH - verdict.length());
            String told = probe.title() + ": " + TerminalText.visible(probe.detail());
            text.append("  " + probe.id() + "  " + padded + told + "\n");
        }
        return text + "\n" + report.count(ProbeVerdict.DENIED) + " denied, "
                + report.count(ProbeVerdict.NOT_APPLICABLE) + " not applicable, "
                + report.count(ProbeVerdict.ESCAPED) + " escaped\n";
    }

    private static String word(ProbeVerdict verdict) {
        return switch (verdict) {
            case DENIED -> "denied";
            case NOT_APPLICABLE -> "not applicable";
            case ESCAPED -> "ESCAPED";
        };
    }
}
