package dev.cordon.server.http;

import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What requests take while they last: how many there are, and how many bytes of their bodies and answers are in memory, of each owner and in
 * all. What becomes a job is held until that is over. So neither many slow clients nor a long queue of large jobs fill the heap.
 */
public final class RequestLoad {
    /**
     * Bounds.
     *
     * @param requests of one owner
     * @param bytes    of one owner
     * @param allBytes of all owners
     */
    public record Bounds(int requests, long bytes, long allBytes) {
        private static final int REQUESTS = 512;
        private static final int PART_OF_HEAP = 16;
        private static final int PART_OF_OWNER = 8;

        /** For a heap of that size: what is read of a body takes several times its bytes for a moment. */
        public static Bounds of(long heap, long largest) {
            long all = Math.max(4 * largest, heap / PART_OF_HEAP);
            return new Bounds(REQUESTS, Math.max(largest, all / PART_OF_OWNER), all);
        }

        /** What those can have who have something already: the rest is for others. */
        long usual() {
            return allBytes - allBytes / 4;
        }
    }

    private static final Duration SOON = Duration.ofSeconds(1);

    /** What one owner has. */
    private static final class Share {
        int requests;
        long bytes;
    }

    private final Bounds bounds;
    private final Map<String, Share> shares = new HashMap<>();
    private long bytes;

    public RequestLoad(Bounds bounds) {
        this.bounds = bounds;
    }

    /**
     * A request begins.
     *
     * @throws RequestProblem when its owner has too many
     */
    synchronized Lease enter(String owner) {
        Share share = shares.computeIfAbsent(owner, _ -> new Share());
        if (share.requests >= bounds.requests()) {
            throw RequestProblem.of(
                            ProblemCode.RATE_LIMITED,
                            owner + " has " + share.requests + " requests open, the most there can be; end some")
                    .retryAfter(SOON);
        }
        share.requests++;
        return new Lease(owner);
    }

    private synchronized void grow(String owner, long held, long more) {
        Share share = shares.computeIfAbsent(owner, _ -> new Share());
        boolean first = share.bytes == held; // nothing of this owner's is in memory but this request
        if (share.bytes + more > bounds.bytes()) {
            throw RequestProblem.of(
                            ProblemCode.RATE_LIMITED,
                            "requests and waiting jobs of " + owner + " have " + share.bytes
                                    + " bytes in memory, the most is " + bounds.bytes() + "; wait for some to end")
                    .retryAfter(SOON);
        }
        long most = first ? bounds.allBytes() : bounds.usual();
        if (bytes + more > most) {
            throw RequestProblem.of(
                            ProblemCode.NO_CAPACITY,
                            "requests and waiting jobs of all owners have as many bytes in memory as they may; try"
                                    + " again")
                    .retryAfter(SOON);
        }
        share.bytes += more;
        bytes += more;
    }

    private synchronized void count(String owner, long more) {
        shares.computeIfAbsent(owner, _ -> new Share()).bytes += more;
        bytes += more;
    }

    private synchronized void shrink(String owner, int requests, long less) {
        Share share = shares.get(owner);
        if (share != null) {
            share.requests -= requests;
            share.bytes -= less;
            if (share.requests == 0 && share.bytes == 0) {
                shares.remove(owner);
            }
        }
        bytes -= less;
    }

    /** How many requests are being answered. */
    public synchronized int requests() {
        return shares.values().stream().mapToInt(share -> share.requests).sum();
    }

    /** What all requests have in memory. */
    synchronized long bytes() {
        return bytes;
    }

    /** What one request takes. Closing it gives the place back, and the bytes unless a job has them. */
    public final class Lease implements AutoCloseable {
        private final String owner;
        private long held;
        private boolean ended;

        private Lease(String owner) {
            this.owner = owner;
        }

        /**
         * More of the body is read, or of an answer made.
         *
         * @throws RequestProblem when that is too much in memory
         */
        public synchronized void grow(long more) {
            RequestLoad.this.grow(owner, held, more);
            held += more;
        }

        /** So much of an answer is in memory that must be given: others are refused for it, it is not. */
        synchronized void count(long more) {
            RequestLoad.this.count(owner, more);
            held += more;
        }

        /** Some of what was read or made is not in memory any more. */
        public synchronized void giveBack(long less) {
            shrink(owner, 0, less);
            held -= less;
        }

        /** The bytes go over to what became of the request, which gives them back by running this, once. */
        public synchronized Runnable handOver() {
            long bytes = held;
            held = 0;
            return () -> shrink(owner, 0, bytes);
        }

        @Override
        public synchronized void close() {
            if (!ended) {
                ended = true;
                shrink(owner, 1, held);
                held = 0;
            }
        }
    }
}
