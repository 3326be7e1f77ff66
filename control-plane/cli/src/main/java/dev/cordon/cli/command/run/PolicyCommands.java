package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import dev.cordon.policy.Decision;
import dev.cordon.policy.Risk;
import dev.cordon.policy.file.InvalidPolicy;
import dev.cordon.policy.file.PolicyFile;
import dev.cordon.policy.rule.Policy;
import dev.cordon.result.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code cordon policy}: who may run what, and why. */
public final class PolicyCommands {
    static final CommandOption POLICY =
            CommandOption.value("--policy", "FILE", "Another policy than that of the settings.");

    private PolicyCommands() {}

    public static CommandSpec check() {
        return new CommandSpec("check", "FILE", PolicyCommands::check, List.of(CommandOption.COLOR), """
            Read a policy and tell everything that is wrong with it. Ends with 1 when something is.\
            """);
    }

    private static int check(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        Path file = Path.of(arguments.operand("name one file, such as: cordon policy check /etc/cordon/policy.toml"));
        try {
            Policy policy = PolicyFile.read(file);
            stdio.print(TerminalText.visible(file + ": " + policy.rules().size() + " rules, "
                            + policy.quotas().size() + " quotas, "
                            + policy.ceilings().size() + " ceilings: fine")
                    + "\n");
            return 0;
        } catch (InvalidPolicy e) {
            throw new CommandFailure(CommandFailure.NOT_FOUND, e.errors());
        }
    }

    /** The policy that ships, to begin one's own with. */
    public static CommandSpec standard() {
        CommandSpec.Action action = (arguments, stdio) -> {
            stdio.print(PolicyFile.standardText());
            return 0;
        };
        return new CommandSpec("default", "", action, List.of(CommandOption.COLOR), """
            Print the policy that ships, with explanations: the beginning of your own.\
            """);
    }

    public static CommandSpec explain() {
        List<CommandOption> options = new ArrayList<>(RunOptions.ALL);
        options.addFirst(POLICY);
        return new CommandSpec("explain", "COMMAND [ARGUMENT...]", PolicyCommands::explain, options, """
            Say whether a job would be allowed, at which level, by which rule and with which score.

            The job is given as to cordon run. Nothing is started and no quota is touched. Ends with 0 when the
            job would be allowed, with 122 when it would be denied, with 121 when it is not a job.\
            """);
    }

    private static int explain(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        JobGateway.Explanation told = JobGateway.of(arguments, stdio).explain(new JobArguments(arguments, stdio));
        Decision decision = told.decision();
        stdio.print(arguments.has(CommandOption.JSON) ? told.json() + "\n" : text(decision));
        return decision instanceof Decision.Allowed ? 0 : new Outcome.Denied(decision.reasons()).exitCode();
    }

    private static String text(Decision decision) {
        StringBuilder text = new StringBuilder();
        switch (decision) {
            case Decision.Allowed allowed -> {
                text.append("allowed, isolation ").append(allowed.isolation().label());
                text.append(allowed.requireHardware() ? ", on hardware only" : "");
                if (allowed.escalate()) {
                    text.append(", stopped at the first tripwire, attempt to reach the network or ")
                            .append(allowed.burst())
                            .append(" refused calls, and run again in a virtual machine");
                }
            }
            case Decision.Denied ignored -> text.append("denied");
        }
        text.append("\nrule: ").append(decision.rule().isEmpty() ? "none matched" : decision.rule());
        Risk risk = decision.risk();
        text.append("\nrisk: ").append(risk.score());
        text.append(risk.vm() == null ? "" : ", a virtual machine from " + risk.vm());
        text.append(risk.deny() == null ? "" : ", denied from " + risk.deny()).append('\n');
        for (Risk.Share share : risk.shares()) {
            text.append(String.format(
                    Locale.ROOT, "  %3d %s: ", share.points(), share.signal().key()));
            text.append(TerminalText.visible(share.why())).append('\n');
        }
        for (String reason : decision.reasons()) {
            text.append("because: ").append(TerminalText.visible(reason)).append('\n');
        }
        return text.toString();
    }
}
