package dev.cordon.engine.sandbox;

import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The limits that a command reached: the one that its outcome names, and those that it met and lived with. */
final class LimitsMet {
    private LimitsMet() {}

    /**
     * @param exited  what init says of its end; null when nobody can
     * @param counted what the kernel counted since the command was asked for
     * @param alone   whether nothing else ran in the sandbox meanwhile
     * @param cut     whether output of it was discarded
     */
    static List<Limit> of(Outcome outcome, @Nullable Exited exited, CgroupUsage counted, boolean alone, boolean cut) {
        Set<Limit> met = EnumSet.noneOf(Limit.class);
        switch (outcome) {
            case Outcome.TimedOut late -> met.add(late.clock() == Outcome.Clock.CPU ? Limit.CPU_TIME : Limit.TIMEOUT);
            case Outcome.OutOfMemory _ -> met.add(Limit.MEMORY);
            case Outcome.OutputLimit _ -> met.add(Limit.OUTPUT);
            case Outcome.DiskLimit _ -> met.add(Limit.DISK);
            case Outcome.PidsLimit _ -> met.add(Limit.PIDS);
            default -> {}
        }
        if (cut) {
            met.add(Limit.OUTPUT);
        }
        if (alone && (counted.outOfMemory() || counted.socketsFull())) {
            met.add(Limit.MEMORY);
        }
        if (alone && counted.pidsLimitSeen()) {
            met.add(Limit.PIDS);
        }
        if (alone && exited != null && exited.outOfDescriptors()) {
            met.add(Limit.OPEN_FILES);
        }
        return List.copyOf(met);
    }
}
