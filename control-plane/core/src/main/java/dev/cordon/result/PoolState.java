package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;

/**
 * What a pool of waiting sandboxes is doing.
 *
 * @param shapes      kinds of sandboxes that are kept
 * @param idle        sandboxes that wait for a job
 * @param memory      what they take, as far as the host counts it
 * @param memoryLimit what they may take
 * @param served      jobs that got a waiting sandbox
 * @param missed      jobs that found none and started cold
 * @param failed      sandboxes that could not be opened ahead, or died while they waited
 */
public record PoolState(
        int shapes, int idle, ByteSize memory, ByteSize memoryLimit, long served, long missed, long failed) {
    /** Of a Cordon without a pool. */
    public static final PoolState NONE = new PoolState(0, 0, ByteSize.bytes(0), ByteSize.bytes(0), 0, 0, 0);
}
