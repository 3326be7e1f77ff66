package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.job.limit.InvalidText;
import dev.cordon.job.limit.Limit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The limits of a command line, each with the words that give it: some can be given by several options. */
final class GivenLimits {
    /** An amount, as it is written. */
    private record Given(String words, String amount) {}

    private final Map<Limit, Given> given = new EnumMap<>(Limit.class);

    /** Those that Cordon's own options give. */
    GivenLimits(ParsedArguments arguments) {
        RunOptions.limits()
                .forEach((limit, option) -> arguments
                        .value(option)
                        .ifPresent(text ->
                                given.put(limit, new Given(option.names().getFirst() + " " + text, text))));
    }

    /** The words that gave another amount before; empty when there are none, or when it is the same. */
    Optional<String> otherThan(Limit limit, String words, String amount) {
        Given before = given.putIfAbsent(limit, new Given(words, amount));
        return before == null || same(limit, before.amount(), amount) ? Optional.empty() : Optional.of(before.words());
    }

    private static boolean same(Limit limit, String one, String other) {
        return one.equals(other)
                || (amount(limit, one).isPresent() && amount(limit, one).equals(amount(limit, other)));
    }

    /** Empty for what is not an amount, which the job's own check says. */
    private static OptionalLong amount(Limit limit, String text) {
        try {
            return OptionalLong.of(limit.parse(text));
        } catch (InvalidText e) {
            return OptionalLong.empty();
        }
    }
}
