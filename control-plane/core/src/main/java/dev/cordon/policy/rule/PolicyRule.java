package dev.cordon.policy.rule;

import dev.cordon.policy.RuleEffect;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a policy; the first that matches a job decides.
 *
 * @param name   for the reasons and the log
 * @param reason why the rule is there, for those it stops
 * @param when   which jobs it is about
 * @param effect what it does with them; null denies them
 */
public record PolicyRule(
        String name,
        String reason,
        RuleMatch when,
        @Nullable RuleEffect effect) {}
