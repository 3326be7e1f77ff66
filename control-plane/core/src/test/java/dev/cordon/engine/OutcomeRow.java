package dev.cordon.engine;

import dev.cordon.Cordon;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.host.CgroupHost;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Output;
import dev.cordon.result.Result;
import dev.cordon.result.Usage;
import dev.cordon.result.Violation;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A row of the table of outcomes.
 *
 * @param outcome  the row's name in the design
 * @param payload  what is run
 * @param expected what {@code shown} has to say of the result
 * @param run      runs it
 * @param shown    reads the result
 */
record OutcomeRow(String outcome, String payload, String expected, Run run, Function<Result, String> shown) {
    private static final String FORMAT = "%-16s %-33s %-45s %-45s %4s  %-44s %s%n";

    /** Runs a row's payload. */
    @FunctionalInterface
    interface Run {
        Result run(Cordon cordon) throws Exception;
    }

    static void printHeader() {
        System.out.printf("cgroups: %s%n", cgroups(CgroupHost.detect(DetectionView.real())));
        System.out.printf("kernel %s, uid %d%n%n", System.getProperty("os.version"), Sandboxes.uid());
        System.out.printf(FORMAT, "ROW", "PAYLOAD", "EXPECTED", "GOT", "HTTP", "USAGE", "VERDICT");
    }

    private static String cgroups(CgroupSupport found) {
        return switch (found) {
            case CgroupSupport.Unified unified ->
                "v2, " + unified.placement().name().toLowerCase(Locale.ROOT) + " at " + unified.home() + " with "
                        + unified.controllers();
            case CgroupSupport.Legacy legacy ->
                "v1 with " + legacy.hierarchies().keySet()
                        + legacy.unified()
                                .map(tree -> ", and the v2 tree at " + tree + " without controllers")
                                .orElse("");
            case CgroupSupport.None none -> "none (" + none.reason() + ")";
        };
    }

    /** Runs it and prints it. */
    boolean print(Cordon cordon) throws Exception {
        Result result = run.run(cordon);
        String got = shown.apply(result);
        boolean right = got.equals(expected);
        System.out.printf(
                FORMAT,
                outcome,
                payload,
                expected,
                got,
                result.outcome().httpStatus(),
                usage(result.usage()),
                right ? "OK" : "WRONG: " + result.outcome());
        return right;
    }

    /** The end and the exit code, and what was cut or refused. */
    static String shown(Result result) {
        StringBuilder text = new StringBuilder(ending(result));
        Output out = result.stdout();
        Output err = result.stderr();
        if (out.truncated() || err.truncated()) {
            text.append(", kept %d+%d of %d+%d"
                    .formatted(out.bytes().length, err.bytes().length, out.total(), err.total()));
        }
        if (!result.violations().isEmpty()) {
            text.append(", refused ")
                    .append(result.violations().stream().map(Violation::syscall).collect(Collectors.joining(",")));
        }
        return text.toString();
    }

    static String ending(Result result) {
        Outcome outcome = result.outcome();
        String detail = switch (outcome) {
            case Outcome.TimedOut late -> "(" + late.clock().name().toLowerCase(Locale.ROOT) + ")";
            case Outcome.Violated violated -> "(" + violated.syscall() + ")";
            case Outcome.SetupFailed failed -> "(" + failed.stage() + " " + failed.error() + ")";
            default -> "";
        };
        return outcome.label() + detail + " " + outcome.exitCode();
    }

    static String notEnforced(Result result, Limit limit) {
        return result.applied().limitsNotEnforced().contains(limit) ? "not enforced: " + limit.key() : shown(result);
    }

    private static String usage(Usage usage) {
        return "wall %d ms, cpu %d ms, peak %s, pids %s"
                .formatted(
                        usage.wall().toMillis(),
                        usage.cpu().toMillis(),
                        usage.peakMemory() == null ? "-" : usage.peakMemory(),
                        usage.pidsPeak() == null ? "-" : usage.pidsPeak());
    }
}
