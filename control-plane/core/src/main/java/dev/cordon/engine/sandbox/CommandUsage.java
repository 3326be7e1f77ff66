package dev.cordon.engine.sandbox;

import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Usage;
import java.time.Duration;
import java.util.OptionalLong;

/** What a command used: what its cgroup counted and, where that did not count, what the kernel told of its processes. */
final class CommandUsage {
    private static final int BLOCK = 512;

    private CommandUsage() {}

    static Usage of(Exited end, CgroupUsage counted) {
        return new Usage(
                end.wall(),
                time(counted.cpu().user(), end.user()),
                time(counted.cpu().system(), end.system()),
                size(counted.memoryPeakBytes(), end.maxRssKib() * 1024),
                size(counted.readBytes(), end.blocksIn() * BLOCK),
                size(counted.writtenBytes(), end.blocksOut() * BLOCK),
                counted.pidsPeak().isPresent() ? counted.pidsPeak().getAsLong() : null);
    }

    private static Duration time(OptionalLong counted, Duration otherwise) {
        return counted.isPresent() ? Duration.ofNanos(counted.getAsLong()) : otherwise;
    }

    private static ByteSize size(OptionalLong counted, long otherwise) {
        return ByteSize.bytes(counted.orElse(otherwise));
    }
}
