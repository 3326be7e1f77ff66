package dev.cordon.server.jobs;

/**
 * Something that happened to a job.
 *
 * @param sequence counts from 1; clients continue after the last one they saw
 * @param type     started, stdout, stderr, usage, violation, exit or error
 * @param data     JSON
 */
public record JobEvent(long sequence, String type, String data) {
    /** Whether nothing comes after it. */
    public boolean last() {
        return type.equals("exit") || type.equals("error");
    }
}
