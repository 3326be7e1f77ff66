package dev.cordon.seccomp;

import dev.cordon.bindings.filter.FilterAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What no profile can give a job. Cordon's own profiles say all of it already (a test compares); it is there for profiles of users, which are
 * often written for other sandboxes and allow what only is harmless there.
 *
 * <p>The tripwires of the default profile are part of it. Three of them a profile may allow by name, because a job reaches nothing but its
 * own processes by them: {@code ptrace}, {@code process_vm_readv} and {@code process_vm_writev}. Debuggers need them. That the profile
 * allows whatever it does not name is not enough.
 *
 * @param usual the profile whose tripwires are part of it
 */
public record ProfileFloor(Profile usual) {
    /** Tripwires that a profile may allow by naming them. */
    private static final Set<Integer> BY_NAME = FloorRules.numbers("ptrace process_vm_readv process_vm_writev");

    /**
     * The profile with what it gives too much taken back; warns of calls that it allows by name in vain.
     *
     * @throws TooManyCases when a call of it would take more rules than any filter holds
     */
    public Profile under(Profile profile) {
        SortedMap<Integer, CallPolicy> calls = new TreeMap<>(profile.calls());
        FloorRules.always().forEach(rule -> rule.applyTo(calls, profile.defaultAction()));
        SortedSet<String> vain = new TreeSet<>();
        for (int syscall : wires()) {
            CallPolicy policy = profile.policy(syscall);
            boolean named = profile.named().contains(syscall) && policy.grantsAnything();
            if (named && BY_NAME.contains(syscall)) {
                continue;
            }
            if (named) {
                vain.add(SystemCalls.name(syscall).orElseThrow());
            }
            if (policy.grantsAnything()) {
                calls.put(syscall, policy.stricter(ArgumentCube.ALL, new FilterAction.Notify()));
            }
        }
        List<String> warnings = new ArrayList<>(profile.warnings());
        if (!vain.isEmpty()) {
            warnings.add("/syscalls: no profile can allow " + String.join(", ", vain) + "; they stay tripwires");
        }
        return profile.changed(profile.hash(), calls, warnings);
    }

    /** Whether a call is refused under every profile, with any arguments. */
    public boolean forbids(int syscall) {
        return wires().contains(syscall) && !BY_NAME.contains(syscall);
    }

    /** What may be let through while a trusted command is observed: all but these. Tripwires are not here, for nothing answers them then. */
    public static SortedMap<Integer, CallPolicy> observing() {
        FilterAction allow = new FilterAction.Allow();
        SortedMap<Integer, CallPolicy> calls = new TreeMap<>();
        List<FloorRules.Refusal> rules = new ArrayList<>(FloorRules.always());
        rules.addAll(FloorRules.of(PlanRule.HOST_FILES));
        rules.forEach(rule -> rule.applyTo(calls, allow));
        // Init stacks the observer's filter and opens files; the observer's rules answer the command's own.
        calls.keySet().removeAll(FloorRules.numbers("seccomp openat2"));
        return calls;
    }

    /** The calls of a profile with what plans need beside it. */
    static SortedMap<Integer, CallPolicy> with(Profile profile, Set<PlanRule> rules) {
        SortedMap<Integer, CallPolicy> calls = new TreeMap<>(profile.calls());
        for (PlanRule each : rules) {
            FloorRules.of(each).forEach(rule -> rule.applyTo(calls, profile.defaultAction()));
        }
        return calls;
    }

    private Set<Integer> wires() {
        return usual.named().stream()
                .filter(syscall -> usual.policy(syscall).equals(CallPolicy.always(new FilterAction.Notify())))
                .collect(Collectors.toUnmodifiableSet());
    }
}
