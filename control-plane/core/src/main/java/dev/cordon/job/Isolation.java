package dev.cordon.job;

import dev.cordon.job.limit.InvalidText;
import java.util.Arrays;
import java.util.Locale;

/** How strongly a job is separated from its host, from the weakest to the strongest. */
public enum Isolation {
    /** No namespaces: resource limits, no_new_privs, seccomp, Landlock and a clean environment. Only when asked for by name. */
    PROCESS,
    /** All namespaces, a root of its own, no capabilities, seccomp and Landlock; shares the host's kernel. */
    JAIL,
    /** A virtual machine with a kernel of its own, itself confined by a jail. */
    VM;

    /** The name in JSON, in configuration files and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a {@link #label()}.
     *
     * @throws IllegalArgumentException when the text names no level; the message lists them
     */
    public static Isolation parse(String text) {
        return Arrays.stream(values())
                .filter(level -> level.label().equals(text))
                .findFirst()
                .orElseThrow(() -> InvalidText.of(text, "is not an isolation level", "one of: process, jail, vm"));
    }
}
