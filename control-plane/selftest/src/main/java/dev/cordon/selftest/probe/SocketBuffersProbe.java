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

/** D-18: what is in the buffers of a job's sockets counts as its memory, or has a limit of its own. */
public record SocketBuffersProbe(String id, String title) implements Probe {
    private static final ByteSize MEMORY = ByteSize.mib(32);
    private static final ByteSize SENT = ByteSize.mib(48);

    /** Long enough for whoever watches a job's sockets to look at them many times. */
    private static final String KEPT_MILLIS = "3000";

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        String bytes = Long.toString(SENT.bytes());
        ProbeTranscript control = box.control(id, bytes, "0");
        Result result = box.inside(box.job(id, bytes, KEPT_MILLIS).memory(MEMORY));
        if (result.applied().limitsNotEnforced().contains(Limit.MEMORY)) {
            return ProbeFinding.notApplicable("no cgroup holds the memory of a job here");
        }
        boolean held = result.outcome() instanceof Outcome.OutOfMemory
                || (result.succeeded() && result.limitsMet().contains(Limit.MEMORY));
        if (held) {
            return control.failure().isEmpty()
                    ? ProbeFinding.denied(SENT + " in sockets met the limit of a job with " + MEMORY)
                    : ControlComparison.worthless(
                            "outside, " + control.failure().get());
        }
        return ProbeFinding.escaped(
                "a job with " + MEMORY + " kept " + SENT + " in sockets and ended with " + result.outcome());
    }
}
