package dev.cordon.selftest.probe;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import java.io.IOException;

/** C-11: files in the job's tmpfs count as its memory. */
public record TmpfsMemoryProbe(String id, String title) implements Probe {
    private static final ByteSize MEMORY = ByteSize.mib(32);
    private static final ByteSize DISK = ByteSize.mib(96);
    private static final ByteSize WRITTEN = ByteSize.mib(64);

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        String bytes = Long.toString(WRITTEN.bytes());
        String directory = box.subdirectory(id).toString();
        ProbeTranscript control = box.control(id, bytes, directory);
        Result result = box.inside(box.job(id, bytes, "/tmp").memory(MEMORY).disk(DISK));
        if (result.applied().limitsNotEnforced().contains(Limit.MEMORY)) {
            return ProbeFinding.notApplicable("no cgroup holds the memory of a job here");
        }
        if (result.outcome() instanceof Outcome.OutOfMemory) {
            return control.failure().isEmpty()
                    ? ProbeFinding.denied(WRITTEN + " in a tmpfs ended a job with " + MEMORY)
                    : ControlComparison.worthless(
                            "outside, " + control.failure().get());
        }
        return ProbeFinding.escaped("a job with " + MEMORY + " wrote to a tmpfs and ended with " + result.outcome());
    }
}
