package dev.cordon.profile;

import dev.cordon.bindings.Action;

/** The order in which the kernel weighs the answers of several filters, the weakest first (seccomp(2)). */
enum Strictness {
    ALLOW,
    LOG,
    NOTIFY,
    ERRNO,
    TRAP,
    KILL_THREAD,
    KILL_PROCESS;

    /** The one that the kernel would take; the first of two that are equally strict. */
    static Action stricter(Action first, Action second) {
        return of(second).compareTo(of(first)) > 0 ? second : first;
    }

    static Strictness of(Action action) {
        return switch (action) {
            case Action.Allow() -> ALLOW;
            case Action.Log() -> LOG;
            case Action.Notify() -> NOTIFY;
            case Action.Errno(int ignored) -> ERRNO;
            case Action.Trap() -> TRAP;
            case Action.KillThread() -> KILL_THREAD;
            case Action.KillProcess() -> KILL_PROCESS;
        };
    }
}
