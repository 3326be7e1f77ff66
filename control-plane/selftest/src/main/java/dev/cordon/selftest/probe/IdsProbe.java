package dev.cordon.selftest.probe;

import dev.cordon.Cordon;
import dev.cordon.bindings.NativeParts;
import dev.cordon.config.Config;
import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import dev.cordon.selftest.rig.ProbeVerdict;
import dev.cordon.selftest.rig.SiblingJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * jobs that run at the same time have different uids on the host, none of them the caller's. Half of them are those of a second Cordon
 * that works in directories of its own, as a service does beside its administrator's commands.
 */
public record IdsProbe(String id, String title) implements Probe {
    private static final int JOBS = 8;
    private static final Pattern UID = Pattern.compile("host uid (\\d+)");

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        ProbeTranscript control = box.control(id);
        List<SiblingJob> crowd = new ArrayList<>();
        Set<Long> uids = new HashSet<>();
        try (Cordon elsewhere = Cordon.open(elsewhere(box.subdirectory(id)))) {
            try {
                Optional<ProbeFinding> broken = gather(box, elsewhere, control, crowd, uids);
                if (broken.isPresent()) {
                    return broken.get();
                }
            } finally {
                crowd.forEach(SiblingJob::close);
            }
        }
        return judge(uids);
    }

    private Optional<ProbeFinding> gather(
            ProbeBox box, Cordon elsewhere, ProbeTranscript control, List<SiblingJob> crowd, Set<Long> uids)
            throws IOException, InterruptedException {
        for (int i = 0; i < JOBS; i++) {
            Cordon whose = i % 2 == 0 ? box.cordon() : elsewhere;
            SiblingJob sibling = SiblingJob.start(whose, box.job(id, "wait"));
            crowd.add(sibling);
            ProbeFinding finding = ControlComparison.of(control, sibling.said());
            if (finding.verdict() != ProbeVerdict.DENIED) {
                return Optional.of(finding);
            }
            uids.add(uid(sibling.said()));
        }
        return Optional.empty();
    }

    /** The settings of this process, but for the directories. */
    private static Config elsewhere(Path directory) {
        Config here = Config.load();
        return new Config(
                here.defaults(),
                here.ceilings(),
                here.ids(),
                directory.resolve("state"),
                directory.resolve("run"),
                here.settings());
    }

    private static long uid(ProbeTranscript inside) {
        Matcher matcher = UID.matcher(inside.attempts().getFirst().text());
        return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    }

    private static ProbeFinding judge(Set<Long> uids) {
        long own = NativeParts.load().kernel().geteuid();
        if (uids.equals(Set.of(own))) {
            return ProbeFinding.notApplicable("rootless without subordinate ids all jobs have the caller's uid " + own);
        }
        if (uids.contains(own) || uids.contains(0L)) {
            return ProbeFinding.escaped("a job has the caller's uid " + own);
        }
        return uids.size() == JOBS
                ? ProbeFinding.denied(JOBS + " jobs of two engines at once, " + JOBS + " uids")
                : ProbeFinding.escaped(JOBS + " jobs of two engines at once share " + uids.size() + " uids");
    }
}
