package dev.cordon.bindings.wire.request;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.value.Rlimit;
import dev.cordon.bindings.value.RlimitResource;
import dev.cordon.bindings.value.WindowSize;
import dev.cordon.bindings.wire.MessageType;
import dev.cordon.bindings.wire.WireConstant;
import dev.cordon.bindings.wire.WirePacket;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts a command. Beside it travel standard input, output and error, as the flags say, then the extra descriptors,
 * and last the strings when {@link #stringsApart}.
 *
 * @param flags how it is started
 * @param wall its wall-clock time
 * @param cpu the CPU time of the whole sandbox at which it is killed
 * @param cwd its working directory, absolute
 * @param argv its arguments, the first being the program
 * @param env its environment, as {@code NAME=value}
 * @param rlimits its resource limits
 * @param onViolation what a refused system call does to it
 * @param window its terminal, with {@link ExecFlag#TTY}
 * @param extraFds how many descriptors travel after standard error; they are 3, 4, ... of the command
 */
public record Exec(
        Set<ExecFlag> flags,
        Duration wall,
        Optional<Duration> cpu,
        String cwd,
        List<String> argv,
        List<String> env,
        Map<RlimitResource, Rlimit> rlimits,
        ViolationAction onViolation,
        WindowSize window,
        int extraFds)
        implements Request {
    private static final int STRUCT_BYTES = 440;
    private static final int RLIMIT_BYTES = 24;
    private static final long NO_LIMIT = -1L;

    /** Checks what the supervisor would refuse, and copies the collections. */
    public Exec {
        flags = Set.copyOf(flags);
        argv = List.copyOf(argv);
        env = List.copyOf(env);
        rlimits = inOrder(rlimits);
        if (!wall.isPositive() || cpu.map(limit -> !limit.isPositive()).orElse(false)) {
            throw new IllegalArgumentException("the time limits must be above zero: wall " + wall + ", cpu " + cpu);
        }
        if (argv.isEmpty() || !cwd.startsWith("/")) {
            throw new IllegalArgumentException("argv must not be empty and cwd must be absolute: " + argv + ", " + cwd);
        }
        if (argv.size() > CordonWireH.WIRE_MAX_STRINGS() || env.size() > CordonWireH.WIRE_MAX_STRINGS()) {
            throw new IllegalArgumentException("argv has " + argv.size() + " and env " + env.size()
                    + " entries, the limit is " + CordonWireH.WIRE_MAX_STRINGS());
        }
        if (rlimits.size() > CordonWireH.WIRE_MAX_RLIMITS()) {
            throw new IllegalArgumentException("more than " + CordonWireH.WIRE_MAX_RLIMITS() + " resource limits");
        }
        if (extraFds < 0 || extraFds > CordonWireH.WIRE_MAX_EXTRA_FDS()) {
            throw new IllegalArgumentException(
                    extraFds + " extra descriptors, the limit is " + CordonWireH.WIRE_MAX_EXTRA_FDS());
        }
    }

    /** Working directory, arguments and environment, each with a NUL behind it. */
    public byte[] strings() {
        ByteArrayOutputStream strings = new ByteArrayOutputStream();
        strings.writeBytes(WirePacket.text(cwd));
        argv.forEach(argument -> strings.writeBytes(WirePacket.text(argument)));
        env.forEach(variable -> strings.writeBytes(WirePacket.text(variable)));
        if (strings.size() > CordonWireH.WIRE_MAX_STRINGS_BYTES()) {
            throw new IllegalArgumentException("argv and env have " + strings.size() + " bytes together, the limit is "
                    + CordonWireH.WIRE_MAX_STRINGS_BYTES());
        }
        return strings.toByteArray();
    }

    /** Whether the strings are too long for the packet and travel in a memfd. */
    public boolean stringsApart() {
        return apart(strings().length);
    }

    @Override
    public byte[] encode(int id, int fdCount) {
        byte[] strings = strings();
        boolean apart = apart(strings.length);
        Set<ExecFlag> all = EnumSet.noneOf(ExecFlag.class);
        all.addAll(flags);
        if (apart) {
            all.add(ExecFlag.STRINGS_FD);
        }
        WirePacket packet = new WirePacket(MessageType.EXEC, id, fdCount, STRUCT_BYTES + (apart ? 0 : strings.length))
                .put(STRUCT_BYTES)
                .put(WireConstant.bits(all))
                .put(nanos(wall))
                .put(cpu.map(Exec::nanos).orElse(NO_LIMIT))
                .put(argv.size())
                .put(env.size())
                .put(strings.length)
                .put(rlimits.size());
        rlimits.forEach((resource, limit) ->
                packet.put(resource.number()).put(0).put(limit.soft()).put(limit.hard()));
        packet.skip((CordonWireH.WIRE_MAX_RLIMITS() - rlimits.size()) * RLIMIT_BYTES)
                .put((short) window.rows())
                .put((short) window.columns())
                .put(onViolation.code())
                .put(extraFds)
                .skip(Integer.BYTES);
        return apart ? packet.bytes() : packet.put(strings).bytes();
    }

    private static Map<RlimitResource, Rlimit> inOrder(Map<RlimitResource, Rlimit> rlimits) {
        EnumMap<RlimitResource, Rlimit> ordered = new EnumMap<>(RlimitResource.class);
        ordered.putAll(rlimits);
        return Collections.unmodifiableMap(ordered);
    }

    private static boolean apart(int strings) {
        return WirePacket.HEADER_BYTES + STRUCT_BYTES + strings > CordonWireH.WIRE_MAX_BYTES();
    }

    /** Durations beyond the clock's 292 years become its end. */
    private static long nanos(Duration duration) {
        return duration.toSeconds() >= Long.MAX_VALUE / 1_000_000_000L ? Long.MAX_VALUE : duration.toNanos();
    }
}
