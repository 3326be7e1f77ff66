package dev.cordon.bindings.filter;

import java.util.List;

/**
 * A system call filter before it is compiled.
 *
 * @param defaultAction what happens to calls without a rule
 * @param foreignArchitecture what happens to calls by another architecture's table
 * @param rules the rules, in any order
 */
public record FilterSpec(FilterAction defaultAction, FilterAction foreignArchitecture, List<FilterRule> rules) {
    /** Copies the rules. */
    public FilterSpec {
        rules = List.copyOf(rules);
    }
}
