package dev.cordon.engine;

import dev.cordon.api.ByteSize;
import dev.cordon.api.Usage;
import dev.cordon.bindings.wire.Exited;
import dev.cordon.cgroup.CgroupUsage;
import java.time.Duration;
import java.util.OptionalLong;

/** What a command used: what its cgroup counted and, where that did not count, what the kernel told of its processes. */
final class CommandUsage {
    private static final int BLOCK = 512;

    private CommandUsage() {}

    static Usage of(Exited end, CgroupUsage counted) {
        return new Usage(
                end.wall(),
                time(counted.cpuUserNanos(), end.user()),
                time(counted.cpuSystemNanos(), end.system()),
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
