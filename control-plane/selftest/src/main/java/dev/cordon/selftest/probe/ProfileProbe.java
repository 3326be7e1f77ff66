package dev.cordon.selftest.probe;

import dev.cordon.bindings.NativeParts;
import dev.cordon.job.Job;
import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import dev.cordon.selftest.rig.ProbeVerdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * B-14: a profile of the user's own that allows everything. Through a writable directory of the host no set-id file is left, the job has no
 * filter of its own, and the probes of what no profile can give find what they find under Cordon's own profiles.
 */
public record ProfileProbe(String id, String title) implements Probe {
    private static final String EVERYTHING = "{\"defaultAction\": \"SCMP_ACT_ALLOW\"}";
    private static final String INSIDE = "/out";

    /** Terminals, keyrings, clone3, namespaces, io_uring, the page cache. */
    private static final List<String> OTHERS = List.of("A-08", "A-09", "B-04", "B-05", "B-06", "E-05");

    /** As root, who the directory belongs to: a job writes as its owner, and root's directories are refused. */
    private static final int OWNER = 65533;

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        Path own = box.subdirectory(id);
        Path profile = Files.writeString(own.resolve("everything.json"), EVERYTHING, StandardCharsets.UTF_8);
        Path out = box.subdirectory(id + "-out");
        if (NativeParts.load().kernel().geteuid() == 0) {
            Files.setAttribute(out, "unix:uid", OWNER);
            Files.setAttribute(out, "unix:gid", OWNER);
        }
        ProbeTranscript control = box.outside(own, Map.of(), id, own.toString());
        Job job = box.job(id, INSIDE).profile(profile).readWrite(out, INSIDE);
        ProbeFinding finding = ControlComparison.of(control, ProbeTranscript.of(box.inside(job)));
        for (String other : OTHERS) {
            ProbeTranscript outside = box.outside(own, Map.of(), other, own.toString());
            ProbeTranscript inside =
                    ProbeTranscript.of(box.inside(box.job(other, "/workspace").profile(profile)));
            finding = finding.and(() -> ControlComparison.of(outside, inside));
        }
        return finding.verdict() == ProbeVerdict.DENIED
                ? ProbeFinding.denied(
                        "no set-id files, no filters of the job's own, and as " + String.join(", ", OTHERS))
                : finding;
    }
}
