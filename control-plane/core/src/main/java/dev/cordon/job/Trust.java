package dev.cordon.job;

import dev.cordon.job.limit.InvalidText;
import java.util.Arrays;
import java.util.Locale;

/** How far the caller vouches for a job's code. The policy weighs it; it is not a permission. */
public enum Trust {
    /** Written or read by somebody the caller answers for. */
    TRUSTED,
    /** Nothing was said. */
    STANDARD,
    /** From a stranger, or from a model that read a stranger's text. */
    UNTRUSTED;

    /** The name in JSON, in policies and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a {@link #label()}.
     *
     * @throws IllegalArgumentException when the text names none; the message lists them
     */
    public static Trust parse(String text) {
        return Arrays.stream(values())
                .filter(trust -> trust.label().equals(text))
                .findFirst()
                .orElseThrow(
                        () -> InvalidText.of(text, "is not a level of trust", "one of: trusted, standard, untrusted"));
    }
}
