package dev.cordon.seccomp;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.seccomp.compile.ProfileCompiler;
import dev.cordon.seccomp.read.Profiles;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a job may ask of the kernel: an action for every system call and its arguments. Immutable; made by {@link Profiles}, turned into
 * filters by {@link ProfileCompiler}.
 *
 * @param name its name, or the path of its file
 * @param hash what identifies it: SHA-256 in hexadecimal
 * @param defaultAction what happens to calls that the profile does not name
 * @param calls what happens to those that it names, by number
 * @param warnings what its author should know: parts that mean nothing here, or something else than elsewhere
 */
public record Profile(
        String name,
        String hash,
        FilterAction defaultAction,
        SortedMap<Integer, CallPolicy> calls,
        List<String> warnings) {
    /** Copies the collections. */
    public Profile {
        calls = Collections.unmodifiableSortedMap(new TreeMap<>(calls));
        warnings = List.copyOf(warnings);
    }

    /** The numbers of the calls that the profile names. */
    public Set<Integer> named() {
        return calls.keySet();
    }

    /** What the profile says of a call; arguments that are left out count as zero. */
    public FilterAction verdict(int syscall, long... arguments) {
        return policy(syscall).verdict(arguments);
    }

    /** This profile with what a plan needs beside it. */
    public Profile with(Set<PlanRule> rules) {
        String changed = hash;
        for (PlanRule rule : PlanRule.values()) {
            changed = rules.contains(rule) ? ProfileHash.derived(changed, rule.suffix()) : changed;
        }
        return changed(changed, ProfileFloor.with(this, rules), warnings);
    }

    /** One of the same name that answers calls in another way. */
    Profile changed(String newHash, SortedMap<Integer, CallPolicy> newCalls, List<String> newWarnings) {
        return new Profile(name, newHash, defaultAction, newCalls, newWarnings);
    }

    public CallPolicy policy(int syscall) {
        CallPolicy policy = calls.get(syscall);
        return policy == null ? CallPolicy.always(defaultAction) : policy;
    }
}
