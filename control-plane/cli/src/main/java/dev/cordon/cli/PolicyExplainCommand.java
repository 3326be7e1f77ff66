package dev.cordon.cli;

import dev.cordon.Cordon;
import dev.cordon.api.FieldError;
import dev.cordon.api.InvalidJob;
import dev.cordon.api.Job;
import dev.cordon.api.Outcome;
import dev.cordon.config.Config;
import dev.cordon.config.policy.InvalidPolicy;
import dev.cordon.json.DecisionJson;
import dev.cordon.policy.Decision;
import dev.cordon.policy.Risk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code cordon policy explain}: what the policy says to a job, and why. */
final class PolicyExplainCommand implements Command {

    static final Option POLICY = Option.value("--policy", "FILE", "Another policy than that of the settings.");
    private static final int INVALID_POLICY = 1;

    @Override
    public String name() {
        return "explain";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Say whether a job would be allowed, at which level, by which rule and with which score.",
                "",
                "The job is given as to cordon run. Nothing is started and no quota is touched. Ends with 0 when the",
                "job would be allowed, with 122 when it would be denied, with 121 when it is no job.");
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>();
        options.add(POLICY);
        options.addAll(RunOptions.ALL);
        return options;
    }

    @Override
    public String operands() {
        return "COMMAND [ARGUMENT...]";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteExplain());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        JobArguments given = new JobArguments(arguments, stdio);
        Job job = given.job();
        Config config = Opening.config(arguments);
        Config chosen = arguments.has(POLICY)
                ? config.withPolicy(Path.of(arguments.value(POLICY).orElseThrow()))
                : config;
        try (Cordon cordon = Cordon.open(chosen)) {
            if (!given.errors().isEmpty()) {
                throw new InvalidJob(given.errors());
            }
            Decision decision = cordon.explain(job);
            stdio.print(arguments.has(Option.JSON) ? DecisionJson.of(decision) + "\n" : text(decision));
            return decision instanceof Decision.Allowed ? 0 : new Outcome.Denied(decision.reasons()).exitCode();
        } catch (InvalidJob e) {
            for (FieldError error : e.errors()) {
                stdio.message("invalid job: " + error.message());
            }
            return new Outcome.Invalid(e.errors()).exitCode();
        } catch (InvalidPolicy e) {
            e.errors().forEach(stdio::message);
            return INVALID_POLICY;
        }
    }

    static String text(Decision decision) {
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
            text.append("  ")
                    .append(" "
                            .repeat(Math.max(
                                    0, 3 - Integer.toString(share.points()).length())));
            text.append(share.points()).append(' ').append(share.signal().key()).append(": ");
            text.append(TerminalText.visible(share.why())).append('\n');
        }
        for (String reason : decision.reasons()) {
            text.append("because: ").append(TerminalText.visible(reason)).append('\n');
        }
        return text.toString();
    }
}
