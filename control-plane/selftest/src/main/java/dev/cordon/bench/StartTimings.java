package dev.cordon.bench;

/**
 * How one contender started programs at one degree of parallelism.
 *
 * @param contender     its name
 * @param parallel      how many at once
 * @param latency       of each run, from the request to the result
 * @param jobsPerSecond over all runs
 */
public record StartTimings(String contender, int parallel, SortedTimings latency, double jobsPerSecond) {}
