/** The operator's rules, quotas and weights as data, and how they come to a decision. */
@NullMarked
package dev.cordon.policy.rule;

import org.jspecify.annotations.NullMarked;
