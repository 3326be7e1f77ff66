package dev.cordon.selftest.probe;

import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import dev.cordon.selftest.rig.SiblingJob;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/** C-12, E-02: two jobs that know the same names and numbers find nothing of each other, one after the other and side by side. */
public record MeetingProbe(String id, String title, boolean together) implements Probe {
    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        String number = Integer.toString(ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE));
        String name = "cordon-" + number;
        ProbeTranscript control = box.control(id, name, number);
        ProbeTranscript inside = together ? sideBySide(box, name, number) : inTurn(box, name, number);
        return ControlComparison.of(control, inside);
    }

    private ProbeTranscript sideBySide(ProbeBox box, String name, String number)
            throws IOException, InterruptedException {
        try (SiblingJob _ = SiblingJob.start(box, box.job("hold", name, number))) {
            return ProbeTranscript.of(box.inside(box.job(id, name, number)));
        }
    }

    /** What the first could not put there, the second can't find: the first one's own words are not compared. */
    private ProbeTranscript inTurn(ProbeBox box, String name, String number) {
        ProbeTranscript planted = ProbeTranscript.of(box.inside(box.job(id, name, number, "plant")));
        if (planted.failure().isPresent()) {
            return planted;
        }
        return ProbeTranscript.of(box.inside(box.job(id, name, number)));
    }
}
