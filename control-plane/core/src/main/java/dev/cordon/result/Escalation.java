package dev.cordon.result;

import java.util.List;
import java.util.Locale;

/**
 * What became of a jailed job that did something for which the policy wants it run again in a virtual machine. Of the first attempt
 * nothing is left but what is told here: its workspace is discarded.
 *
 * @param cause    what it did
 * @param reason   the same in words
 * @param attempts the attempt that was stopped, then the one in the machine if there was one
 * @param refusal  why there was no second attempt; empty when there was one
 */
public record Escalation(Cause cause, String reason, List<JobAttempt> attempts, String refusal) {
    /** What makes a job suspicious while it runs. */
    public enum Cause {
        /** A system call of the tripwire set. */
        TRIPWIRE,
        /** It was ended by SIGSYS: a filter killed it. */
        SIGSYS,
        /** So many system calls were refused as the rule has for a burst. */
        BURST,
        /** It tried to reach the network. */
        NETWORK;

        /** The name in JSON and in the log. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the list and checks that it has the attempts that the refusal tells of. */
    public Escalation {
        attempts = List.copyOf(attempts);
        if (attempts.size() != (refusal.isEmpty() ? 2 : 1)) {
            throw new IllegalArgumentException("an escalation has two attempts, or one and the reason why");
        }
    }

    /** Whether the job was run again. */
    public boolean happened() {
        return refusal.isEmpty();
    }
}
