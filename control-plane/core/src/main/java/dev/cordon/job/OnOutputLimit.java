package dev.cordon.job;

/** What happens when a stream passes its output limit. */
public enum OnOutputLimit {
    /** The rest is read, counted and dropped; the job goes on. */
    TRUNCATE,
    /** The job is killed. */
    KILL
}
