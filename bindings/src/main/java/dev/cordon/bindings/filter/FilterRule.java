package dev.cordon.bindings.filter;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One rule of a filter: what happens to a system call whose arguments meet all conditions.
 *
 * @param action what happens
 * @param syscall the call's number on this machine
 * @param args the conditions, at most one for each argument
 */
public record FilterRule(FilterAction action, int syscall, List<ArgumentComparison> args) {
    /** Checks the number and that no argument is compared twice, which libseccomp cannot express in one rule. */
    public FilterRule {
        if (syscall < 0) {
            throw new IllegalArgumentException("system call number " + syscall + " does not exist here");
        }
        args = List.copyOf(args);
        Set<Integer> seen = new HashSet<>();
        for (ArgumentComparison arg : args) {
            if (!seen.add(arg.index())) {
                throw new IllegalArgumentException("argument " + arg.index() + " is compared twice in one rule");
            }
        }
    }
}
