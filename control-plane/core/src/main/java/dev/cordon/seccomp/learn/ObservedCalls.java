package dev.cordon.seccomp.learn;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.wire.reply.Observed;
import dev.cordon.bindings.wire.request.ObserveRule;
import dev.cordon.seccomp.ArgumentCube;
import dev.cordon.seccomp.CallPolicy;
import dev.cordon.seccomp.PlanRule;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.ProfileFloor;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.read.KernelRelease;
import dev.cordon.seccomp.read.ProfileReader;
import dev.cordon.seccomp.read.Profiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What a trusted command was seen to ask of the kernel, and the smallest profile that lets it. Arguments are told apart where the default
 * profile compares them: the learnt profile has those of its cases that were met, and the exact arguments of what it refuses.
 *
 * <p>Calls that the default profile answers with ENOSYS are answered so here, too, and are not part of what is learnt: libc does the same in
 * another way then, and {@code clone3}, say, hides its flags from any filter. So are filters of the command's own, which no job may install.
 */
public final class ObservedCalls {
    /** One more than the largest number that the supervisor looks at. */
    private static final int NUMBERS = 1024;

    private static final FilterAction ALLOW = new FilterAction.Allow();
    private static final FilterAction EPERM = new FilterAction.Errno(Errno.EPERM);
    private static final int SECCOMP = SystemCalls.require("seccomp");

    /** A command starts with the first; signals, its end and its complaints can come at any time, seen or not. */
    private static final List<String> ALWAYS =
            List.of("execve", "exit", "exit_group", "restart_syscall", "rt_sigreturn", "write");

    private volatile Profile usual = Profiles.named("default");
    private final ProfileFloor floor = new ProfileFloor(usual);
    private final List<Observed> seen = new ArrayList<>();

    /** What the plan needs beside any profile, before it starts: such calls are answered as under the learnt profile. */
    public void hold(Set<PlanRule> rules) {
        usual = usual.with(rules);
    }

    /** How the supervisor is to look at calls. */
    public List<ObserveRule> rules() {
        List<ObserveRule> rules = new ArrayList<>();
        for (int syscall = 0; syscall < NUMBERS; syscall++) {
            CallPolicy policy = usual.policy(syscall);
            List<Long> masks = IntStream.range(0, ArgumentCube.ARGUMENTS)
                    .mapToObj(policy::mask)
                    .toList();
            if (policy.otherwise() instanceof FilterAction.Errno(int error)
                    && policy.cases().isEmpty()
                    && error == Errno.ENOSYS) {
                rules.add(new ObserveRule(syscall, error, masks));
            } else if (syscall == SECCOMP) {
                rules.add(new ObserveRule(syscall, Errno.EPERM, masks));
            } else if (!policy.cases().isEmpty()) {
                rules.add(new ObserveRule(syscall, 0, masks));
            }
        }
        return rules;
    }

    /** Adds a call that was seen. */
    public synchronized void add(Observed call) {
        seen.add(call);
    }

    /** All that were seen, the first first. */
    public synchronized List<Observed> all() {
        return List.copyOf(seen);
    }

    /** How many of a call's arguments, from the first, the default profile looks at. */
    public int compared(Observed call) {
        CallPolicy policy = usual.policy(call.syscall());
        int count = ArgumentCube.ARGUMENTS;
        while (count > 0 && policy.mask(count - 1) == 0) {
            count--;
        }
        return count;
    }

    /** What the default profile says of a call that was seen. */
    public FilterAction byDefault(Observed call) {
        return usual.policy(call.syscall()).verdict(arguments(call));
    }

    /** Whether the command got what it asked for, so that the learnt profile has the call. */
    public boolean passed(Observed call) {
        return call.syscall() != SECCOMP
                && !floor.forbids(call.syscall())
                && !byDefault(call).equals(new FilterAction.Errno(Errno.ENOSYS));
    }

    /**
     * The smallest profile, as the text of its file.
     *
     * @param comment what the file says of itself
     */
    public String profile(String comment) {
        SortedMap<String, List<Observed>> calls = new TreeMap<>();
        for (Observed call : all()) {
            if (passed(call)) {
                String name = SystemCalls.name(call.syscall()).orElseThrow();
                calls.computeIfAbsent(name, ignored -> new ArrayList<>()).add(call);
            }
        }
        ProfileText text = new ProfileText(comment);
        text.entry(
                "Cordon starts a command with execve; its signals, its end and its complaints can come at any time.",
                ALWAYS,
                ALLOW);
        plain(text, calls);
        calls.forEach((name, kinds) -> compared(text, name, kinds));
        return checked(text.toString());
    }

    /** Calls whose arguments no entry looks at. */
    private void plain(ProfileText text, SortedMap<String, List<Observed>> calls) {
        SortedSet<String> ordinary = new TreeSet<>();
        SortedSet<String> beyond = new TreeSet<>();
        calls.forEach((name, kinds) -> {
            CallPolicy policy = usual.policy(SystemCalls.require(name));
            if (policy.cases().isEmpty() && !ALWAYS.contains(name)) {
                (policy.grantsAnything() ? ordinary : beyond).add(name);
            }
        });
        text.entry("Seen.", ordinary, ALLOW);
        text.entry("Seen, and refused by the default profile: is it needed?", beyond, ALLOW);
    }

    private void compared(ProfileText text, String name, List<Observed> kinds) {
        CallPolicy policy = usual.policy(SystemCalls.require(name));
        if (policy.cases().isEmpty()) {
            return;
        }
        Set<ArgumentCube> met = new LinkedHashSet<>();
        List<ArgumentCube> refused = new ArrayList<>();
        boolean otherwise = false;
        for (Observed kind : kinds) {
            boolean allowed = policy.allows(arguments(kind));
            Optional<ArgumentCube> grant = grant(policy, kind);
            grant.ifPresent(met::add);
            if (!allowed) {
                refused.add(exactly(policy, kind));
            }
            if (kind.more()) {
                met.addAll(grants(policy));
            }
            otherwise |= allowed && grant.isEmpty();
        }
        text.entry(
                "Seen with these arguments, and refused by the default profile: is it needed?", name, ALLOW, refused);
        if (otherwise) {
            text.entry("As the default profile.", name, EPERM, refusals(policy, refused));
            text.otherwise("Otherwise.", name, ALLOW);
        } else {
            text.entry("Seen; the condition is the default profile's.", name, ALLOW, List.copyOf(met));
            text.otherwise("Otherwise.", name, CallPolicy.isGrant(policy.otherwise()) ? EPERM : policy.otherwise());
        }
    }

    /** Calls that the default profile allows by their arguments. */
    private static List<ArgumentCube> grants(CallPolicy policy) {
        return policy.cases().stream()
                .filter(each -> CallPolicy.isGrant(each.action()))
                .map(CallPolicy.Case::cube)
                .toList();
    }

    /** The first case of the default profile that allows a call. */
    private static Optional<ArgumentCube> grant(CallPolicy policy, Observed call) {
        return grants(policy).stream()
                .filter(cube -> cube.contains(arguments(call)))
                .findFirst();
    }

    /** What the default profile refuses, without what was seen: where entries overlap the stricter wins. */
    private static List<ArgumentCube> refusals(CallPolicy policy, List<ArgumentCube> seen) {
        List<ArgumentCube> refusals = policy.cases().stream()
                .filter(each -> !CallPolicy.isGrant(each.action()))
                .map(CallPolicy.Case::cube)
                .toList();
        return ArgumentCube.minus(refusals, seen);
    }

    private static ArgumentCube exactly(CallPolicy policy, Observed call) {
        ArgumentCube cube = ArgumentCube.ALL;
        for (int i = 0; i < ArgumentCube.ARGUMENTS; i++) {
            cube = cube.and(ArgumentCube.of(i, policy.mask(i), call.arguments().get(i)));
        }
        return cube;
    }

    /** The file is only worth something if it says what it is meant to say. */
    private String checked(String text) {
        Profile profile = ProfileReader.read("learnt", text.getBytes(StandardCharsets.UTF_8), KernelRelease.running());
        for (Observed call : all()) {
            boolean allowed = profile.policy(call.syscall()).allows(arguments(call));
            if (allowed != passed(call)) {
                throw new IllegalStateException("the learnt profile is wrong about " + call);
            }
        }
        return text;
    }

    private static long[] arguments(Observed call) {
        return call.arguments().stream().mapToLong(Long::longValue).toArray();
    }
}
