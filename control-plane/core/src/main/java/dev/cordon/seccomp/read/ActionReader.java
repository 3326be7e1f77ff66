package dev.cordon.seccomp.read;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.Errno;
import java.util.List;
import java.util.Optional;

/** Reads what is to happen to a call: {@code action} with {@code errnoRet} or {@code errno}, {@code defaultAction} with its own. */
record ActionReader(ProblemList problems) {
    private static final int MAX_ERRNO = 4095;
    private static final List<String> NAMES = List.of(
            "SCMP_ACT_ALLOW",
            "SCMP_ACT_ERRNO",
            "SCMP_ACT_KILL",
            "SCMP_ACT_KILL_PROCESS",
            "SCMP_ACT_KILL_THREAD",
            "SCMP_ACT_LOG",
            "SCMP_ACT_NOTIFY",
            "SCMP_ACT_TRACE",
            "SCMP_ACT_TRAP");

    /** Empty when there is none or it is wrong, which has been reported then. */
    Optional<FilterAction> read(JsonObject object, String field, String numberField, String nameField) {
        Optional<String> name = object.string(field);
        if (name.isEmpty()) {
            if (!object.has(field)) {
                problems.add(object.place().field(field), "is missing", "one of " + String.join(", ", NAMES));
            }
            return Optional.empty();
        }
        int errno = object.number(numberField, 1, MAX_ERRNO)
                .or(() -> object.string(nameField)
                        .flatMap(text -> byName(object.place().field(nameField), text)))
                .orElse(Errno.EPERM);
        return action(object.place().field(field), name.get(), errno);
    }

    private Optional<FilterAction> action(JsonPlace place, String name, int errno) {
        return switch (name) {
            case "SCMP_ACT_ALLOW" -> Optional.of(new FilterAction.Allow());
            case "SCMP_ACT_ERRNO" -> Optional.of(new FilterAction.Errno(errno));
            case "SCMP_ACT_KILL", "SCMP_ACT_KILL_THREAD" -> Optional.of(new FilterAction.KillThread());
            case "SCMP_ACT_KILL_PROCESS" -> Optional.of(new FilterAction.KillProcess());
            case "SCMP_ACT_LOG" -> Optional.of(new FilterAction.Log());
            case "SCMP_ACT_NOTIFY" -> Optional.of(new FilterAction.Notify());
            case "SCMP_ACT_TRACE" -> {
                problems.warn(
                        place, "no tracer watches a job, so that the call answers ENOSYS, as the kernel does then");
                yield Optional.of(new FilterAction.Errno(Errno.ENOSYS));
            }
            case "SCMP_ACT_TRAP" -> Optional.of(new FilterAction.Trap());
            default -> {
                problems.unknown(place, "action", name, NAMES);
                yield Optional.empty();
            }
        };
    }

    /** Podman's profiles name error numbers beside writing them. */
    private Optional<Integer> byName(JsonPlace place, String name) {
        for (int errno = 1; errno < 200; errno++) {
            if (Errno.name(errno).equals(name)) {
                return Optional.of(errno);
            }
        }
        problems.unknown(place, "error number's name", name, List.of("EPERM, ENOSYS and their like"));
        return Optional.empty();
    }
}
