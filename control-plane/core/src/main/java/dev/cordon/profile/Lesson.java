package dev.cordon.profile;

import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.bindings.Action;
import dev.cordon.bindings.Errno;
import dev.cordon.bindings.wire.ObserveRule;
import dev.cordon.bindings.wire.Observed;
import dev.cordon.learn.ByDefault;
import dev.cordon.learn.Learnt;
import dev.cordon.learn.SeenCall;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** One command being watched: takes what the supervisor tells of its calls, from any thread. */
public final class Lesson implements Consumer<Observed> {
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
    public Learnt end(Result result) {
        List<SeenCall> seen = calls.all().stream()
                .map(this::seen)
                .sorted(Comparator.comparing(SeenCall::name).thenComparing(SeenCall::text))
                .toList();
        String profile = result.outcome() instanceof Outcome.Exited
                ? calls.profile("Learnt by watching: " + command
                        + ". It allows what was seen and no more; what another run asks for in addition"
                        + " answers ENOSYS.")
                : "";
        return new Learnt(result, seen, profile);
    }

    private SeenCall seen(Observed call) {
        String name = SystemCalls.name(call.syscall()).orElseGet(() -> "system call " + call.syscall());
        return new SeenCall(name, compared(call), call.comm(), byDefault(calls.byDefault(call)), calls.passed(call));
    }

    /** Up to the last argument that the default profile looks at. */
    private List<Long> compared(Observed call) {
        return call.arguments().subList(0, calls.compared(call));
    }

    private static ByDefault byDefault(Action action) {
        return switch (action) {
            case Action.Allow ignored -> ByDefault.ALLOWED;
            case Action.Log ignored -> ByDefault.ALLOWED;
            case Action.Notify ignored -> ByDefault.TRIPWIRE;
            case Action.Errno(int error) -> error == Errno.ENOSYS ? ByDefault.UNKNOWN : ByDefault.REFUSED;
            case Action.Trap ignored -> ByDefault.REFUSED;
            case Action.KillThread ignored -> ByDefault.REFUSED;
            case Action.KillProcess ignored -> ByDefault.REFUSED;
        };
    }
}
