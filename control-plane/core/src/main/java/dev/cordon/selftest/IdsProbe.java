package dev.cordon.selftest;

import dev.cordon.bindings.Natives;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** jobs that run at the same time have different uids on the host, none of them the caller's. */
final class IdsProbe implements Probe {
    private static final int JOBS = 8;
    private static final Pattern UID = Pattern.compile("host uid (\\d+)");

    @Override
    public String id() {
        return "A-10";
    }

    @Override
    public String title() {
        return "uid shared between jobs";
    }

    @Override
    public Finding run(Bench bench) throws IOException, InterruptedException {
        Transcript control = bench.outside(bench.subdirectory(id()), Map.of(), id());
        List<Sibling> crowd = new ArrayList<>();
        Set<Long> uids = new HashSet<>();
        try {
            for (int i = 0; i < JOBS; i++) {
                Sibling sibling = Sibling.start(bench, bench.job(id(), "wait"));
                crowd.add(sibling);
                Finding finding = Comparison.of(control, sibling.said());
                if (finding.verdict() != Verdict.DENIED) {
                    return finding;
                }
                uids.add(uid(sibling.said()));
            }
        } finally {
            crowd.forEach(Sibling::close);
        }
        return judge(uids);
    }

    private static long uid(Transcript inside) {
        Matcher matcher = UID.matcher(inside.attempts().getFirst().text());
        return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    }

    private static Finding judge(Set<Long> uids) {
        long own = Natives.load().kernel().geteuid();
        if (uids.equals(Set.of(own))) {
            return Finding.notApplicable("rootless without subordinate ids all jobs have the caller's uid " + own);
        }
        if (uids.contains(own) || uids.contains(0L)) {
            return Finding.escaped("a job has the caller's uid " + own);
        }
        return uids.size() == JOBS
                ? Finding.denied(JOBS + " jobs at once, " + JOBS + " uids")
                : Finding.escaped(JOBS + " jobs at once share " + uids.size() + " uids");
    }
}
