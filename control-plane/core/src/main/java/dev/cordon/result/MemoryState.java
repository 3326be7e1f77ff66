package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;

/**
 * How much memory is promised to jobs and sandboxes, by their memory limits.
 *
 * @param budget   what may be promised at one time
 * @param share    of it, what one owner may have
 * @param promised what is
 * @param holders  how many jobs and sandboxes have some
 * @param waiting  jobs that wait for some
 * @param refused  jobs and sandboxes that did not get any so far
 */
public record MemoryState(ByteSize budget, ByteSize share, ByteSize promised, int holders, int waiting, long refused) {}
