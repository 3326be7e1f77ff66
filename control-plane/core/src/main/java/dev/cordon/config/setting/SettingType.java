package dev.cordon.config.setting;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.DurationFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * How the values of a setting are read and checked.
 *
 * @param kind    what they look like
 * @param choices the values that there are; empty for any of the kind
 * @param reader  reads a text, or throws IllegalArgumentException with the rule that it breaks
 * @param within  whether a value is in its range
 * @param rule    what is wrong with one that is not
 * @param remedy  what to write instead; empty for a value of the kind
 */
public record SettingType<T>(
        Kind kind, List<String> choices, Function<String, T> reader, Predicate<T> within, String rule, String remedy) {
    /** What a value looks like. */
    public enum Kind {
        /** A size such as 256M, or a number of bytes. */
        SIZE("size", "256M"),
        /** A duration such as 10s or 5m. */
        DURATION("duration", "10s"),
        /** A number such as 0.5. */
        NUMBER("number", "0.5"),
        /** A whole number. */
        COUNT("whole number", "64"),
        /** True or false. */
        TRUTH("true or false", "true"),
        /** An absolute path. */
        PATH("absolute path", "/srv/cordon"),
        /** Any text. */
        TEXT("text", "name");

        private final String label;
        private final String example;

        Kind(String label, String example) {
            this.label = label;
            this.example = example;
        }

        /** For people. */
        public String label() {
            return label;
        }

        /** One value. */
        public String example() {
            return example;
        }

        /** Whether TOML has it without quotes. */
        boolean bare() {
            return this == NUMBER || this == COUNT || this == TRUTH;
        }
    }

    /** Any size. */
    public static final SettingType<ByteSize> SIZE = of(Kind.SIZE, ByteSize::parse);

    /** Any duration. */
    public static final SettingType<Duration> DURATION = of(Kind.DURATION, DurationFormat::parse);

    /** True or false. */
    public static final SettingType<Boolean> TRUTH =
            of(Kind.TRUTH, SettingType::truth).remedy("write one of them");

    /** An absolute path. */
    public static final SettingType<Path> PATH = of(Kind.PATH, SettingType::path);

    /** Any text. */
    public static final SettingType<String> TEXT = of(Kind.TEXT, Function.identity());

    /** Copies the list. */
    public SettingType {
        choices = List.copyOf(choices);
    }

    /** Values that are read in a way of their own. */
    public static <T> SettingType<T> of(Kind kind, Function<String, T> reader) {
        return new SettingType<>(kind, List.of(), reader, value -> true, "", "");
    }

    /** A whole number in a range. */
    public static SettingType<Integer> count(int least, int most) {
        return of(Kind.COUNT, Integer::valueOf)
                .where(number -> number >= least && number <= most, "is not between " + least + " and " + most);
    }

    /** A whole number, however large. */
    public static SettingType<Long> number() {
        return of(Kind.COUNT, Long::valueOf);
    }

    /** A number above 0. */
    public static SettingType<Double> factor(double most) {
        return of(Kind.NUMBER, Double::valueOf)
                .where(number -> number > 0 && number <= most, "is not above 0 and at most " + (long) most);
    }

    /** One of the constants of an enum, in lower case and with hyphens. */
    public static <E extends Enum<E>> SettingType<E> choice(E[] constants) {
        List<String> names = Arrays.stream(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
        int last = names.size() - 1;
        String all = String.join(", ", names.subList(0, last)) + " or " + names.get(last);
        Function<String, E> reader = text -> {
            int index = names.indexOf(text.toLowerCase(Locale.ROOT));
            if (index < 0) {
                throw new IllegalArgumentException("is not " + all);
            }
            return constants[index];
        };
        return new SettingType<>(Kind.TEXT, names, reader, value -> true, "", "write one of them");
    }

    /** These values as far as they are in a range. */
    public SettingType<T> where(Predicate<T> range, String broken) {
        return new SettingType<>(kind, choices, reader, range, broken, remedy);
    }

    /** These values with another remedy. */
    public SettingType<T> remedy(String other) {
        return new SettingType<>(kind, choices, reader, within, rule, other);
    }

    /**
     * Reads and checks a value.
     *
     * @throws IllegalArgumentException with the rule that the text breaks
     */
    public T parse(String text) {
        T value;
        try {
            value = reader.apply(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a " + kind.label(), e);
        }
        rule(value).ifPresent(broken -> {
            throw new IllegalArgumentException(broken);
        });
        return value;
    }

    /** The rule that a value breaks; empty when it is in its range. */
    public Optional<String> rule(T value) {
        return within.test(value) ? Optional.empty() : Optional.of(rule);
    }

    private static Boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }

    private static Path path(String text) {
        if (!text.startsWith("/") || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("is not an absolute path");
        }
        return Path.of(text).normalize();
    }
}
