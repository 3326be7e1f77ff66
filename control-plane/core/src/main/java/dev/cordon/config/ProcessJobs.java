package dev.cordon.config;

/**
 * Who may have the isolation level {@code process}, which leaves a job the rights of a user of the host. As root that user is one of the
 * job's own; otherwise it is the user of this process.
 */
public enum ProcessJobs {
    /** Whoever asks for it by name: the jobs are those of this process's own user. For the library and the command line. */
    ANYBODY,
    /**
     * Those whom a rule of the policy names together with the level, and never as the user of this process: jobs of others could do
     * whatever that user may, such as read its state and make themselves administrators. For a service.
     */
    BY_RULE,
    /** Those whom a rule of the policy names together with the level, also as the user of this process. */
    BY_RULE_AS_THIS_USER
}
