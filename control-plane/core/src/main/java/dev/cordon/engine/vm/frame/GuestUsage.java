package dev.cordon.engine.vm.frame;

import dev.cordon.cgroup.CgroupEvents;
import dev.cordon.cgroup.CgroupUsage;
import dev.cordon.cgroup.CpuTime;
import java.util.OptionalLong;

/** What a guest says that its sandbox has used. */
public final class GuestUsage {
    private static final int FIELDS = 12;
    private static final int STRUCT = 8 + 8 * FIELDS;
    private static final long MICRO = 1000;

    private GuestUsage() {}

    public static CgroupUsage decode(GuestFrame frame) throws HostileGuest {
        FrameFields fields = frame.fields().exactly(STRUCT);
        int known = fields.takeInt();
        OptionalLong[] values = new OptionalLong[FIELDS];
        for (int i = 0; i < FIELDS; i++) {
            long value = fields.takeLong();
            if (value < 0 || value > Long.MAX_VALUE / 2 / MICRO) {
                throw new HostileGuest("a counter is " + Long.toUnsignedString(value));
            }
            values[i] = (known & 1 << i) == 0 ? OptionalLong.empty() : OptionalLong.of(value);
        }
        OptionalLong user = nanos(values[4]);
        OptionalLong system = nanos(values[5]);
        OptionalLong cpu = user.isPresent() && system.isPresent()
                ? OptionalLong.of(user.getAsLong() + system.getAsLong())
                : OptionalLong.empty();
        return new CgroupUsage(
                values[0],
                values[1],
                new CpuTime(cpu, user, system),
                values[2],
                values[3],
                values[6],
                values[7],
                new CgroupEvents(
                        values[8].orElse(0), values[9].orElse(0), values[10].orElse(0), values[11].orElse(0), false));
    }

    private static OptionalLong nanos(OptionalLong micros) {
        return micros.isPresent() ? OptionalLong.of(micros.getAsLong() * MICRO) : micros;
    }
}
