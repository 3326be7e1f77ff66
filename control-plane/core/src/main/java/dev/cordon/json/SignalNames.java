package dev.cordon.json;

import java.util.List;

/** The names of signals on Linux for x86 and ARM (signal(7)). */
public final class SignalNames {
    private static final List<String> NAMES = List.of(
            "SIGHUP",
            "SIGINT",
            "SIGQUIT",
            "SIGILL",
            "SIGTRAP",
            "SIGABRT",
            "SIGBUS",
            "SIGFPE",
            "SIGKILL",
            "SIGUSR1",
            "SIGSEGV",
            "SIGUSR2",
            "SIGPIPE",
            "SIGALRM",
            "SIGTERM",
            "SIGSTKFLT",
            "SIGCHLD",
            "SIGCONT",
            "SIGSTOP",
            "SIGTSTP",
            "SIGTTIN",
            "SIGTTOU",
            "SIGURG",
            "SIGXCPU",
            "SIGXFSZ",
            "SIGVTALRM",
            "SIGPROF",
            "SIGWINCH",
            "SIGIO",
            "SIGPWR",
            "SIGSYS");

    private SignalNames() {}

    /** The name of a signal; real-time signals have their number only. */
    public static String name(int number) {
        return number >= 1 && number <= NAMES.size() ? NAMES.get(number - 1) : "SIG" + number;
    }

    /** The number of a signal's name, with or without SIG; 0 when there is none of that name. */
    public static int number(String name) {
        return NAMES.indexOf(name.startsWith("SIG") ? name : "SIG" + name) + 1;
    }

    /** The number behind any name that {@link #name} gives; 0 when it is none. */
    static int numbered(String name) {
        int known = number(name);
        return known == 0 && name.matches("SIG[0-9]{1,3}") ? Integer.parseInt(name.substring(3)) : known;
    }
}
