package dev.cordon.job;

/** What happens to a job that calls something in the tripwire set. Either way the call is refused and recorded. */
public enum OnViolation {
    /** The call fails with EPERM; the job goes on. */
    REFUSE,
    /** The job is killed. */
    KILL
}
