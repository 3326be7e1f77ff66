package dev.cordon.cli.parse;

import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.doctor.HostCheck;
import dev.cordon.selftest.rig.ProbeVerdict;

/** Whether words are coloured, by {@code --color}, NO_COLOR (no-color.org) and what the stream is. */
public enum ColourChoice {
    /** Escape sequences around the words that matter. */
    ON,
    /** Plain text. */
    OFF;

    public static ColourChoice of(ParsedArguments arguments, boolean terminal, StandardStreams stdio)
            throws UsageError {
        String when = arguments.value(CommandOption.COLOR).orElse("auto");
        return switch (when) {
            case "always" -> ON;
            case "never" -> OFF;
            case "auto" -> {
                boolean refused =
                        !stdio.environment().getOrDefault("NO_COLOR", "").isEmpty();
                yield terminal && !refused ? ON : OFF;
            }
            default -> throw new UsageError("--color is auto, always or never, not '" + when + "'");
        };
    }

    public String status(HostCheck.Status status) {
        return switch (status) {
            case PASS -> paint("32", "PASS");
            case INFO -> paint("36", "INFO");
            case WARN -> paint("33", "WARN");
            case FAIL -> paint("1;31", "FAIL");
        };
    }

    public String verdict(ProbeVerdict verdict, String word) {
        return switch (verdict) {
            case DENIED -> paint("32", word);
            case NOT_APPLICABLE -> paint("36", word);
            case ESCAPED -> paint("1;31", word);
        };
    }

    public String met(boolean measured, boolean met) {
        if (!measured) {
            return paint("36", "  ?   ");
        }
        return met ? paint("32", "  met ") : paint("33", "missed");
    }

    private String paint(String code, String word) {
        return this == ON ? "\033[" + code + "m" + word + "\033[0m" : word;
    }
}
