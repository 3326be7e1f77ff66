package dev.cordon.cli.command.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.TestStdio;
import dev.cordon.cli.parse.CommandOption;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code docker run} has and {@code cordon run} has not. */
final class DockerOptionsTest {
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--?[a-z][a-z-]*");
    private static final Pattern COMMAND = Pattern.compile("cordon ([a-z]+)");

    /** Where there is nothing to use instead. */
    private static final Pattern WHY_NOT =
            Pattern.compile("(a job (has no|shares no|is user|runs once)|every jail has) ?.*");

    static Stream<Arguments> refused() {
        return DockerOptions.REFUSED.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    private static List<String> named(Pattern pattern, int group, String reason) {
        return pattern.matcher(reason)
                .results()
                .map((MatchResult match) -> match.group(group))
                .toList();
    }

    private static boolean isKnown(String option) {
        return option.equals("--help")
                || RunOptions.ALL.stream().map(CommandOption::names).anyMatch(names -> names.contains(option));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void saysWhatToUseInsteadOrWhyNot(String option, String reason) {
        List<String> options = named(OPTION, 0, reason);
        List<String> commands = named(COMMAND, 1, reason);
        assertThat(isKnown(option)).as("it is refused").isFalse();
        assertThat(options).allMatch(DockerOptionsTest::isKnown);
        for (String command : commands) {
            assertThat(new TestStdio().run(command, "--help")).as(command).isZero();
        }
        assertThat(!options.isEmpty()
                        || !commands.isEmpty()
                        || WHY_NOT.matcher(reason).matches())
                .as(reason)
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("refused")
    void isRefusedWithItsReason(String option, String reason) {
        List<String> joined = List.of(option.startsWith("--") ? option + "=value" : option);
        for (List<String> words : List.of(joined, List.of(option, "value"))) {
            TestStdio stdio = new TestStdio();
            String[] line = Stream.of(List.of("run"), words, List.of("--", "true"))
                    .flatMap(List::stream)
                    .toArray(String[]::new);
            assertThat(stdio.run(line)).isEqualTo(2);
            assertThat(stdio.out()).isEmpty();
            assertThat(stdio.err())
                    .startsWith("cordon: " + option + " is not an option here: " + reason)
                    .contains("hint: cordon run --help");
        }
    }
}
