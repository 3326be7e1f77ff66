package dev.cordon.json;

import java.util.List;

/** The names of signals on Linux for x86 and ARM (signal(7)). */
public final class SignalNames {
    private static final List<String> NAMES = List.of(("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE"
                    + " ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS")
            .split(" "));

    private SignalNames() {}

    /** The name of a signal; real-time signals have their number only. */
    public static String name(int number) {
        return "SIG" + (number >= 1 && number <= NAMES.size() ? NAMES.get(number - 1) : number);
    }

    /** The number of a signal's name, with or without SIG; 0 when there is none of that name. */
    public static int number(String name) {
        return NAMES.indexOf(name.startsWith("SIG") ? name.substring(3) : name) + 1;
    }

    /** The number behind any name that {@link #name} gives; 0 when it is none. */
    static int numbered(String name) {
        int known = number(name);
        return known == 0 && name.matches("SIG[0-9]{1,3}") ? Integer.parseInt(name.substring(3)) : known;
    }
}
