package dev.cordon.seccomp;

import dev.cordon.bindings.filter.ArgumentComparison;
import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.filter.FilterRule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What happens to one system call: cases by its arguments, and what holds otherwise. No call is in two cases with different actions, so that
 * the order in which libseccomp tests them cannot matter.
 *
 * @param cases the cases, without overlap between different actions
 * @param otherwise what happens to all other calls
 */
public record CallPolicy(List<Case> cases, FilterAction otherwise) {
    /** The condition of a rule that always holds. libseccomp tests it last: greater-than after equality, low arguments after high ones. */
    private static final ArgumentComparison ALWAYS = new ArgumentComparison(0, ComparisonOperator.GE, 0, 0);

    /**
     * Calls and what happens to them.
     *
     * @param cube the calls
     * @param action what happens
     */
    public record Case(ArgumentCube cube, FilterAction action) {}

    public CallPolicy {
        TooManyCases.check(cases.size());
        cases = List.copyOf(cases);
    }

    /** One action for all arguments. */
    public static CallPolicy always(FilterAction action) {
        return new CallPolicy(List.of(), action);
    }

    /** Cases that may overlap: the stricter action wins, among equally strict ones the first. */
    public static CallPolicy of(List<Case> cases, FilterAction otherwise) {
        List<Case> ordered = new ArrayList<>(cases);
        ordered.sort((a, b) -> ActionStrictness.of(b.action()).compareTo(ActionStrictness.of(a.action())));
        List<Case> apart = new ArrayList<>();
        for (Case next : ordered) {
            List<ArgumentCube> taken = new ArrayList<>();
            for (Case earlier : apart) {
                if (!earlier.action().equals(next.action()) && earlier.cube().meets(next.cube())) {
                    taken.add(earlier.cube());
                }
            }
            for (ArgumentCube rest : ArgumentCube.minus(List.of(next.cube()), taken)) {
                apart.add(new Case(rest, next.action()));
            }
            TooManyCases.check(apart.size());
        }
        return new CallPolicy(apart, otherwise);
    }

    /** What happens to a call with these arguments. */
    public FilterAction verdict(long... arguments) {
        for (Case each : cases) {
            if (each.cube().contains(arguments)) {
                return each.action();
            }
        }
        return otherwise;
    }

    /** The bits of an argument that make a difference. */
    public long mask(int index) {
        return cases.stream().mapToLong(each -> each.cube().mask(index)).reduce(0, (a, b) -> a | b);
    }

    /** Whether a call with these arguments is let through. */
    public boolean allows(long... arguments) {
        return isGrant(verdict(arguments));
    }

    /** Whether some call is let through. */
    public boolean grantsAnything() {
        return isGrant(otherwise) || cases.stream().anyMatch(each -> isGrant(each.action()));
    }

    /** Whether every call of the cube is let through; no when that is too hard to tell. */
    public boolean grants(ArgumentCube cube) {
        List<ArgumentCube> granted = new ArrayList<>();
        List<ArgumentCube> refused = new ArrayList<>();
        for (Case each : cases) {
            (isGrant(each.action()) ? granted : refused).add(each.cube());
        }
        if (isGrant(otherwise)) {
            return refused.stream().noneMatch(cube::meets);
        }
        try {
            return ArgumentCube.minus(List.of(cube), granted).isEmpty();
        } catch (TooManyCases e) {
            return false;
        }
    }

    /** This policy with another action for the calls of one cube. */
    public CallPolicy with(ArgumentCube cube, FilterAction action) {
        if (cube.isAll()) {
            return always(action);
        }
        List<Case> changed = new ArrayList<>();
        changed.add(new Case(cube, action));
        for (Case each : cases) {
            for (ArgumentCube rest : each.cube().minus(cube)) {
                changed.add(new Case(rest, each.action()));
            }
        }
        return new CallPolicy(changed, otherwise);
    }

    /** This policy with an answer to the calls of one cube that is at least so strict. */
    CallPolicy stricter(ArgumentCube cube, FilterAction action) {
        if (cube.isAll()) {
            return map(each -> ActionStrictness.stricter(each, action));
        }
        FilterAction rest = ActionStrictness.stricter(otherwise, action);
        List<Case> changed = new ArrayList<>();
        List<ArgumentCube> taken = new ArrayList<>();
        for (Case each : cases) {
            FilterAction both =
                    each.cube().meets(cube) ? ActionStrictness.stricter(each.action(), action) : each.action();
            if (both.equals(each.action())) {
                changed.add(each);
            } else {
                each.cube().minus(cube).forEach(left -> changed.add(new Case(left, each.action())));
                changed.add(new Case(each.cube().and(cube), both));
            }
            taken.add(each.cube());
        }
        if (!rest.equals(otherwise)) {
            ArgumentCube.minus(List.of(cube), taken).forEach(left -> changed.add(new Case(left, rest)));
        }
        return changed.equals(cases) ? this : new CallPolicy(changed, otherwise);
    }

    /** This policy with other actions. */
    public CallPolicy map(UnaryOperator<FilterAction> change) {
        return new CallPolicy(
                cases.stream()
                        .map(each -> new Case(each.cube(), change.apply(each.action())))
                        .toList(),
                change.apply(otherwise));
    }

    /** The rules of this call in a filter with that default action. libseccomp refuses rules that repeat the default. */
    public List<FilterRule> rules(int syscall, FilterAction defaultAction) {
        List<Case> telling =
                cases.stream().filter(each -> !each.action().equals(otherwise)).toList();
        List<FilterRule> rules = new ArrayList<>();
        for (Case each : telling) {
            if (!each.action().equals(defaultAction)) {
                rules.add(new FilterRule(each.action(), syscall, each.cube().comparisons()));
            }
        }
        if (otherwise.equals(defaultAction)) {
            return rules;
        }
        if (telling.isEmpty()) {
            rules.add(new FilterRule(otherwise, syscall, List.of()));
        } else if (rules.size() == telling.size()) {
            rules.add(new FilterRule(otherwise, syscall, List.of(ALWAYS)));
        } else {
            // Some cases are left to the default: a rule that always holds would take them too.
            List<ArgumentCube> cut = telling.stream().map(Case::cube).toList();
            for (ArgumentCube rest : ArgumentCube.minus(List.of(ArgumentCube.ALL), cut)) {
                rules.add(new FilterRule(otherwise, syscall, rest.comparisons()));
            }
        }
        return rules;
    }

    public static boolean isGrant(FilterAction action) {
        return action instanceof FilterAction.Allow || action instanceof FilterAction.Log;
    }
}
