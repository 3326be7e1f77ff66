package dev.cordon.engine.lease;

import dev.cordon.cgroup.BlockDevices;
import dev.cordon.cgroup.IoLimit;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.IoRates;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The rates of a plan, for each of the disks that its job can reach. */
final class DiskRates {
    /** A rate could not be held: what the job sees is on no disk of this host. */
    static final class NoDisk extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        NoDisk(String message, IOException cause) {
            super(message, cause);
        }
    }

    private DiskRates() {}

    static List<IoLimit> of(SandboxPlan plan) throws NoDisk {
        IoRates rates = plan.limits().io();
        if (rates.isNone()) {
            return List.of();
        }
        try {
            List<IoLimit> limits = new ArrayList<>();
            for (String device : BlockDevices.ofThisHost().below(reach(plan))) {
                limits.add(limit(device, rates));
            }
            return limits;
        } catch (IOException e) {
            throw new NoDisk("limits read_rate, write_rate: " + e.getMessage(), e);
        }
    }

    private static List<Path> reach(SandboxPlan plan) {
        return plan.tier() instanceof Tier.PlainProcess
                ? List.of(Path.of("/"))
                : plan.operations().stream()
                        .filter(RootStep.Bind.class::isInstance)
                        .map(op -> Path.of(((RootStep.Bind) op).source()))
                        .toList();
    }

    private static IoLimit limit(String device, IoRates rates) {
        String[] number = device.split(":", 2);
        return new IoLimit(
                Integer.parseInt(number[0]),
                Integer.parseInt(number[1]),
                bytes(rates.read()),
                bytes(rates.written()),
                count(rates.reads()),
                count(rates.writes()));
    }

    private static OptionalLong bytes(@Nullable ByteSize rate) {
        return rate == null ? OptionalLong.empty() : OptionalLong.of(rate.bytes());
    }

    private static OptionalLong count(@Nullable Long rate) {
        return rate == null ? OptionalLong.empty() : OptionalLong.of(rate);
    }
}
