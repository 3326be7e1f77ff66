package dev.cordon.selftest.probe;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.Errno;
import dev.cordon.result.Result;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.read.Profiles;
import dev.cordon.selftest.rig.ControlComparison;
import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeTranscript;
import dev.cordon.selftest.rig.TripwireCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** B-01: every call that the written profile refuses is refused by the kernel, with the errno that the profile says. */
public record PolicyProbe(String id, String title) implements Probe {
    /** What the probe makes its calls with. */
    private static final long[] BAD = {-1, -1, -1, -1, -1, -1};

    /** Since Linux 6.14 these pass every filter, because the kernel's own trampolines make them; from elsewhere they do nothing. */
    private static final Set<String> UNFILTERED = Set.of("uprobe", "uretprobe");

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        String[] arguments = arguments(Profiles.named("default"));
        ProbeTranscript control = box.control(arguments);
        Result result = box.inside(box.job(arguments));
        ProbeTranscript inside = ProbeTranscript.of(result);
        return TripwireCheck.check(ControlComparison.of(control, inside), inside, result);
    }

    private String[] arguments(Profile profile) {
        List<String> arguments = new ArrayList<>(List.of(id));
        SystemCalls.all().forEach((name, number) -> {
            int errno = refusal(profile.verdict(number, BAD));
            if (errno > 0 && !UNFILTERED.contains(name)) {
                arguments.add(name + ":" + number + ":" + errno);
            }
        });
        return arguments.toArray(String[]::new);
    }

    /** The errno that a refused call has; 0 for one that is let through. */
    private static int refusal(FilterAction action) {
        return switch (action) {
            case FilterAction.Errno errno -> errno.errno();
            case FilterAction.Notify ignored -> Errno.EPERM;
            default -> 0;
        };
    }
}
