package dev.cordon.job;

/**
 * What follows when a job meets its bounds.
 *
 * @param onOutputLimit what happens at the output limit
 * @param onViolation   what happens at a tripwire
 * @param escalate      whether the job may be run again in a virtual machine where the policy says so
 */
public record LimitReactions(OnOutputLimit onOutputLimit, OnViolation onViolation, boolean escalate) {}
