package dev.cordon.seccomp.read;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.seccomp.ArgumentCube;
import dev.cordon.seccomp.CallPolicy;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.TooManyCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The entries of a profile for one system call, while they are collected. */
final class CallEntries {
    private final String name;
    private final ProblemList problems;
    private final List<CallPolicy.Case> cases = new ArrayList<>();
    private @Nullable FilterAction otherwise;
    private @Nullable JsonPlace unconditional;
    private JsonPlace last = JsonPlace.ROOT;

    CallEntries(int syscall, ProblemList problems) {
        this.name = SystemCalls.name(syscall).orElseThrow();
        this.problems = problems;
    }

    void add(JsonPlace place, List<ArgumentCube> cubes, boolean compared, FilterAction action) {
        last = place;
        if (cubes.stream().noneMatch(ArgumentCube::isAll)) {
            cubes.forEach(cube -> cases.add(new CallPolicy.Case(cube, action)));
            return;
        }
        if (otherwise != null && !otherwise.equals(action)) {
            problems.add(place, name + " has two entries for all arguments with different actions", "keep one");
        }
        otherwise = action;
        unconditional = compared ? unconditional : place;
    }

    /** What the entries mean together; empty when that cannot be put into a filter, which is reported. */
    Optional<CallPolicy> policy(FilterAction defaultAction) {
        FilterAction rest = otherwise == null ? defaultAction : otherwise;
        if (unconditional != null
                && cases.stream().anyMatch(each -> !each.action().equals(rest))) {
            problems.warn(
                    unconditional,
                    name + " has entries with args too: this one holds for what they leave (runc would drop them)");
        }
        try {
            return Optional.of(CallPolicy.of(cases, rest));
        } catch (TooManyCases e) {
            problems.add(last, name + " has too many conditions: " + e.getMessage(), "use fewer or simpler ones");
            return Optional.empty();
        }
    }
}
