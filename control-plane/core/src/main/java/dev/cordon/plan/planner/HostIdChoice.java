package dev.cordon.plan.planner;

import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostSource;
import java.util.List;

/** Chooses the host ids of a job: one of its own where possible, the owner's where it writes to a directory of the host. */
record HostIdChoice(JobSpec job, HostFacts facts, SourceCheck check, List<String> notes) {
    HostIds choose() {
        List<Mount> writable =
                job.containment().mounts().stream().filter(Mount::writable).toList();
        if (!facts.root()) {
            return rootless(!writable.isEmpty());
        }
        return writable.isEmpty() ? new HostIds.Slot(facts.slots()) : owner(writable);
    }

    private HostIds rootless(boolean writes) {
        if (facts.subordinate().isEmpty()) {
            return new HostIds.Caller(facts.uid(), facts.gid());
        }
        if (writes) {
            notes.add("the job has the caller's own uid on the host instead of a subordinate one, because it writes to"
                    + " the caller's directory");
            return new HostIds.Caller(facts.uid(), facts.gid());
        }
        return facts.subordinate().get();
    }

    /**
     * Idmapped mounts would let a job keep its own uid, but through them it could create files of any owner that the map names; the
     * owner's uid needs nothing of the kind.
     */
    private HostIds owner(List<Mount> writable) {
        HostSource first = facts.source(writable.getFirst().source());
        for (Mount mount : writable) {
            HostSource source = facts.source(mount.source());
            if (source.uid() != first.uid() || source.gid() != first.gid()) {
                check.error(
                        "/mounts/" + job.containment().mounts().indexOf(mount) + "/source",
                        mount.source().toString(),
                        "belongs to " + source.uid() + ":" + source.gid() + ", another writable mount to " + first.uid()
                                + ":" + first.gid(),
                        "let all writable mounts of a job have one owner and group");
            }
        }
        if (first.uid() <= 0 || first.gid() <= 0) {
            return new HostIds.Slot(facts.slots()); // the mount itself is refused by SourceCheck
        }
        notes.add("the job has the host ids " + first.uid() + ":" + first.gid()
                + " of its writable mount's owner instead of ids of its own");
        return new HostIds.Owner(first.uid(), first.gid());
    }
}
