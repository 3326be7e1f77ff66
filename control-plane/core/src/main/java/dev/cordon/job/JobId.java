package dev.cordon.job;

/**
 * The name of one run. Ids that Cordon makes sort by time; their random part is not to be guessed.
 *
 * @param value letters, digits, hyphens and underscores, at most 64: safe as a file and cgroup name
 */
public record JobId(String value) {
    private static final int MAX_LENGTH = 64;

    /** Checks the alphabet and the length. */
    public JobId {
        if (!isOne(value)) {
            throw new IllegalArgumentException("a job id has 1 to 64 of the characters A-Z a-z 0-9 _ -");
        }
    }

    /** Whether a text can be an id. */
    public static boolean isOne(String text) {
        return !text.isEmpty() && text.length() <= MAX_LENGTH && text.chars().allMatch(JobId::isAllowed);
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    @Override
    public String toString() {
        return value;
    }
}
