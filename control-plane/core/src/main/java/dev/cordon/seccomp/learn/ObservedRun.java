package dev.cordon.seccomp.learn;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.wire.reply.Observed;
import dev.cordon.bindings.wire.request.ObserveRule;
import dev.cordon.result.DefaultAnswer;
import dev.cordon.result.LearntProfile;
import dev.cordon.result.ObservedCall;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.seccomp.PlanRule;
import dev.cordon.seccomp.SystemCalls;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** One command being watched: takes what the supervisor tells of its calls, from any thread. */
public final class ObservedRun implements Consumer<Observed> {
    private final ObservedCalls calls = new ObservedCalls();
    private volatile String command = "";

    /** What the profile's file will say it is for. */
    public void command(List<String> argv) {
        command = String.join(" ", argv);
    }

    /** What the plan needs beside any profile, before it starts. */
    public void hold(Set<PlanRule> rules) {
        calls.hold(rules);
    }

    /** How the supervisor is to look at calls. */
    public List<ObserveRule> rules() {
        return calls.rules();
    }

    @Override
    public void accept(Observed call) {
        calls.add(call);
    }

    /**
     * What was learnt.
     *
     * @param result how the command ended
     */
    public LearntProfile end(Result result) {
        List<ObservedCall> seen = calls.all().stream()
                .map(this::seen)
                .sorted(Comparator.comparing(ObservedCall::name).thenComparing(ObservedCall::text))
                .toList();
        String profile = result.outcome() instanceof Outcome.Exited
                ? calls.profile("Learnt by watching: " + command
                        + ". It allows what was seen and no more; what another run asks for in addition"
                        + " answers ENOSYS.")
                : "";
        return new LearntProfile(result, seen, profile);
    }

    private ObservedCall seen(Observed call) {
        String name = SystemCalls.name(call.syscall()).orElseGet(() -> "system call " + call.syscall());
        return new ObservedCall(
                name, compared(call), call.comm(), byDefault(calls.byDefault(call)), calls.passed(call));
    }

    /** Up to the last argument that the default profile looks at. */
    private List<Long> compared(Observed call) {
        return call.arguments().subList(0, calls.compared(call));
    }

    private static DefaultAnswer byDefault(FilterAction action) {
        return switch (action) {
            case FilterAction.Allow ignored -> DefaultAnswer.ALLOWED;
            case FilterAction.Log ignored -> DefaultAnswer.ALLOWED;
            case FilterAction.Notify ignored -> DefaultAnswer.TRIPWIRE;
            case FilterAction.Errno(int error) -> error == Errno.ENOSYS ? DefaultAnswer.UNKNOWN : DefaultAnswer.REFUSED;
            case FilterAction.Trap ignored -> DefaultAnswer.REFUSED;
            case FilterAction.KillThread ignored -> DefaultAnswer.REFUSED;
            case FilterAction.KillProcess ignored -> DefaultAnswer.REFUSED;
        };
    }
}
