package dev.cordon.seccomp;

import dev.cordon.bindings.filter.FilterAction;

/** The order in which the kernel weighs the answers of several filters, the weakest first (seccomp(2)). */
public enum ActionStrictness {
    ALLOW,
    LOG,
    NOTIFY,
    ERRNO,
    TRAP,
    KILL_THREAD,
    KILL_PROCESS;

    /** The one that the kernel would take; the first of two that are equally strict. */
    static FilterAction stricter(FilterAction first, FilterAction second) {
        return of(second).compareTo(of(first)) > 0 ? second : first;
    }

    public static ActionStrictness of(FilterAction action) {
        return switch (action) {
            case FilterAction.Allow() -> ALLOW;
            case FilterAction.Log() -> LOG;
            case FilterAction.Notify() -> NOTIFY;
            case FilterAction.Errno(int ignored) -> ERRNO;
            case FilterAction.Trap() -> TRAP;
            case FilterAction.KillThread() -> KILL_THREAD;
            case FilterAction.KillProcess() -> KILL_PROCESS;
        };
    }
}
