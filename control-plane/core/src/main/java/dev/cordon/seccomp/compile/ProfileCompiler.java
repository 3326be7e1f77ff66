package dev.cordon.seccomp.compile;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.filter.FilterRule;
import dev.cordon.bindings.filter.FilterSpec;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.seccomp.ActionStrictness;
import dev.cordon.seccomp.ArgumentCube;
import dev.cordon.seccomp.BpfProgram;
import dev.cordon.seccomp.CallPolicy;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.ProfileFloor;
import dev.cordon.seccomp.ProfileProblem;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.TooManyCases;
import dev.cordon.seccomp.read.Profiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Makes filters of profiles, each once. Whatever a profile says, it is held to {@link ProfileFloor}, and the calls that are tripwires in the
 * default profile raise a notification where the profile refuses them with an error.
 *
 * <p>A profile that lets init do its work is init's filter. Otherwise init's filter is the profile and what init needs, and the profile
 * itself is stacked in each command before exec. There the tripwires are allowed: an error of that filter would beat the notification of the
 * first (seccomp(2): ERRNO before USER_NOTIF).
 */
public final class ProfileCompiler {
    private static final int CACHED = 64;
    private static final FilterAction ALLOW = new FilterAction.Allow();
    private static final FilterAction EPERM = new FilterAction.Errno(Errno.EPERM);
    private static final FilterAction ENOSYS = new FilterAction.Errno(Errno.ENOSYS);
    private static final int SECCOMP = SystemCalls.require("seccomp");
    private static final int PRCTL = SystemCalls.require("prctl");
    private static final int EXECVE = SystemCalls.require("execve");

    private final Assembler assembler;
    private final Supplier<Profile> defaultProfile;
    private final Map<String, CompiledProfile> cache = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CompiledProfile> eldest) {
            return size() > CACHED;
        }
    };

    /** Turns rules into a BPF program: {@code seccomp::compile}. */
    @FunctionalInterface
    public interface Assembler {
        /** The program for these rules. */
        byte[] assemble(FilterSpec spec) throws ErrnoException;
    }

    /** A compiler on libseccomp. */
    public ProfileCompiler(Assembler assembler) {
        this(assembler, () -> Profiles.named("default"));
    }

    ProfileCompiler(Assembler assembler, Supplier<Profile> defaultProfile) {
        this.assembler = assembler;
        this.defaultProfile = defaultProfile;
    }

    /**
     * The filters of a profile.
     *
     * @throws InvalidProfile when no command could start under it, or it does not fit into a filter
     * @throws ErrnoException when libseccomp fails
     */
    public synchronized CompiledProfile compile(Profile profile) throws ErrnoException {
        CompiledProfile compiled = cache.get(profile.hash());
        if (compiled == null) {
            compiled = make(held(profile), false, Set.of());
            cache.put(profile.hash(), compiled);
        }
        return compiled;
    }

    /**
     * The filters of a profile for a job that the policy watches: calls that the profile answers with EPERM whatever their arguments raise a
     * notification as well, are counted and get the same answer.
     *
     * @throws InvalidProfile when no command could start under it, or it does not fit into a filter
     * @throws ErrnoException when libseccomp fails
     */
    public synchronized CompiledProfile compileWatched(Profile profile) throws ErrnoException {
        String key = "watched " + profile.hash();
        CompiledProfile compiled = cache.get(key);
        if (compiled == null) {
            Profile held = held(profile);
            compiled = make(held, false, counted(held));
            cache.put(key, compiled);
        }
        return compiled;
    }

    /** Not those that init needs or that would let a job have filters: they must stay out of the job's reach in both filters. */
    private SortedSet<Integer> counted(Profile profile) {
        SortedSet<Integer> counted = new TreeSet<>();
        for (int syscall : profile.named()) {
            CallPolicy policy = profile.policy(syscall);
            if (policy.cases().isEmpty() && policy.otherwise().equals(EPERM)) {
                counted.add(syscall);
            }
        }
        counted.removeAll(tripwires(profile));
        InitNeeds.all().forEach(need -> counted.remove(need.syscall()));
        counted.removeAll(List.of(SECCOMP, PRCTL, EXECVE));
        return counted;
    }

    /**
     * The filters of a profile for a program of Cordon's own, which loads a filter of its own and may not have a listener in it. Calls that
     * the profile answers with an error are tripwires of the default profile still, but for those that it answers with ENOSYS: it knows
     * that the program tries them.
     *
     * @throws InvalidProfile when no command could start under it, or it does not fit into a filter
     * @throws ErrnoException when libseccomp fails
     */
    public synchronized CompiledProfile compileTrusted(Profile profile) throws ErrnoException {
        return make(profile, true, Set.of());
    }

    private CompiledProfile make(Profile profile, boolean trusted, Set<Integer> counted) throws ErrnoException {
        if (!profile.policy(EXECVE).grants(ArgumentCube.ALL)) {
            throw invalid(profile, "/syscalls", "execve is not allowed, so that no command could start", "allow it");
        }
        SortedMap<Integer, CallPolicy> job = new TreeMap<>(profile.calls());
        SortedMap<Integer, CallPolicy> init = new TreeMap<>(job);
        SortedSet<Integer> tripwires = new TreeSet<>(tripwires(profile));
        if (trusted) {
            tripwires.removeIf(syscall -> profile.policy(syscall).otherwise().equals(ENOSYS));
        }
        tripwires.addAll(counted);
        tripwires.forEach(syscall -> init.put(syscall, CallPolicy.always(new FilterAction.Notify())));
        List<InitNeeds.Need> lacking = InitNeeds.all().stream()
                .filter(need -> !policy(profile, init, need.syscall()).grants(need.cube()))
                .toList();
        if (lacking.isEmpty()) {
            return compiled(profile, init, Optional.empty(), tripwires, counted);
        }
        for (InitNeeds.Need need : lacking) {
            init.put(need.syscall(), policy(profile, init, need.syscall()).with(need.cube(), ALLOW));
        }
        init.put(SECCOMP, CallPolicy.always(ALLOW));
        tripwires.forEach(syscall -> job.put(syscall, CallPolicy.always(ALLOW)));
        job.replaceAll((syscall, policy) -> policy.map(ProfileCompiler::leaveToInit));
        return compiled(profile, init, Optional.of(job), tripwires, counted);
    }

    /**
     * Init's filter in a sandbox that learns: everything passes, but what no profile can give and modes that would leave a set-user-id file on
     * the host. The command's own filter tells of its calls.
     *
     * @throws ErrnoException when libseccomp fails
     */
    public synchronized BpfProgram observing() throws ErrnoException {
        return assemble(defaultProfile.get(), ALLOW, ProfileFloor.observing());
    }

    /** A second filter may not have a listener; where this one would notify, init's does. */
    private static FilterAction leaveToInit(FilterAction action) {
        return action instanceof FilterAction.Notify ? ALLOW : action;
    }

    private Profile held(Profile profile) {
        try {
            return new ProfileFloor(defaultProfile.get()).under(profile);
        } catch (TooManyCases e) {
            throw tooManyCases(profile, e);
        }
    }

    private static InvalidProfile tooManyCases(Profile profile, TooManyCases problem) {
        return invalid(profile, "/syscalls", "a call has too many conditions: " + problem.getMessage(), "use fewer");
    }

    /** The default profile's tripwires, as far as this one answers them with an error for all arguments, and its own. */
    private SortedSet<Integer> tripwires(Profile profile) {
        SortedSet<Integer> tripwires = new TreeSet<>();
        Profile usual = defaultProfile.get();
        for (int syscall : usual.named()) {
            if (isWire(usual.policy(syscall)) && isRefusal(profile.policy(syscall))) {
                tripwires.add(syscall);
            }
        }
        for (int syscall : profile.named()) {
            if (isWire(profile.policy(syscall))) {
                tripwires.add(syscall);
            }
        }
        return tripwires;
    }

    private static boolean isWire(CallPolicy policy) {
        return policy.otherwise() instanceof FilterAction.Notify
                && policy.cases().isEmpty();
    }

    private static boolean isRefusal(CallPolicy policy) {
        ActionStrictness errno = ActionStrictness.ERRNO;
        return !policy.grantsAnything()
                && ActionStrictness.of(policy.otherwise()).compareTo(errno) <= 0
                && policy.cases().stream()
                        .allMatch(each -> ActionStrictness.of(each.action()).compareTo(errno) <= 0);
    }

    private static CallPolicy policy(Profile profile, Map<Integer, CallPolicy> calls, int syscall) {
        CallPolicy policy = calls.get(syscall);
        return policy == null ? CallPolicy.always(profile.defaultAction()) : policy;
    }

    private CompiledProfile compiled(
            Profile profile,
            SortedMap<Integer, CallPolicy> init,
            Optional<SortedMap<Integer, CallPolicy>> job,
            SortedSet<Integer> tripwires,
            Set<Integer> counted)
            throws ErrnoException {
        BpfProgram initFilter = assemble(profile, profile.defaultAction(), init);
        Optional<BpfProgram> jobFilter = job.isEmpty()
                ? Optional.empty()
                : Optional.of(assemble(profile, leaveToInit(profile.defaultAction()), job.get()));
        SortedMap<Integer, String> names = new TreeMap<>();
        tripwires.forEach(
                syscall -> names.put(syscall, SystemCalls.name(syscall).orElseThrow()));
        return new CompiledProfile(initFilter, jobFilter, profile.hash(), profile.warnings(), names, counted);
    }

    private BpfProgram assemble(Profile profile, FilterAction defaultAction, SortedMap<Integer, CallPolicy> calls)
            throws ErrnoException {
        List<FilterRule> rules = new ArrayList<>();
        try {
            calls.forEach((syscall, policy) -> rules.addAll(policy.rules(syscall, defaultAction)));
        } catch (TooManyCases e) {
            throw tooManyCases(profile, e);
        }
        byte[] program = RangedFilter.of(
                assembler.assemble(new FilterSpec(defaultAction, new FilterAction.KillProcess(), rules)));
        if (program.length > BpfProgram.MAX_INSTRUCTIONS * 8) {
            throw invalid(
                    profile,
                    "/syscalls",
                    "takes " + program.length / 8 + " instructions, the kernel accepts " + BpfProgram.MAX_INSTRUCTIONS,
                    "use fewer or simpler conditions");
        }
        return new BpfProgram(program);
    }

    private static InvalidProfile invalid(Profile profile, String pointer, String rule, String remedy) {
        return new InvalidProfile(profile.name(), List.of(new ProfileProblem(pointer, rule, remedy)));
    }
}
