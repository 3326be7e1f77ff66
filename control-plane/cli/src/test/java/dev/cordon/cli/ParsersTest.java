package dev.cordon.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.cli.command.run.RunCommand;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.QuickParser;
import dev.cordon.cli.parse.UsageError;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick parser and picocli, over the same tables. */
class ParsersTest {

    private final CommandSpec run = RunCommand.spec();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "run -- true",
                "run true --memory 5",
                "run --memory 256M --timeout=10s -- sh -c exit",
                "run -e A=1 -e B --env C=x=y -- env",
                "run --memory -1 -- true",
                "run --memory= -- true",
                "run --json --dry-run --strict-limits true",
                "run --ro a:/b --ro=c:/d --rw e:/f -- ls",
                "run --lang python -c print(1)",
                "run --stdin - -- cat",
                "run - x",
                "run -- -- x",
                "run -- @file",
                "run @file --json",
                "run --lang=python --code=1+1",
                "doctor",
                "doctor --json --color=never",
                "version --json",
                "ps job_1 --json",
                "cp a box_1:b --local",
                "logs -f job_1 --raw",
                "kill box_1 -- --json",
                "exec box_1 ls --json",
            })
    void theQuickParserUnderstandsWhatPicocliUnderstands(String line) throws Exception {
        String[] words = line.split(" ", -1);
        CommandSpec command = requireNonNull(CommandList.named(words[0]));
        Optional<ParsedArguments> quick = new QuickParser(command).parse(words, 1);
        assertThat(quick).isPresent();
        assertThat(describe(command, quick.get())).isEqualTo(describe(command, new FullParser().parse(command, words)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --memory",
                "run --memory --json -- true",
                "run --memory 1M --memory 2M -- true",
                "run --no-such-option -- true",
                "run --json=maybe -- true",
                "run -x -- true",
                "doctor extra",
                "version --pids 3",
            })
    void whatIsWrongIsLeftToPicocliWhichSaysSo(String line) {
        String[] words = line.split(" ", -1);
        CommandSpec command = requireNonNull(CommandList.named(words[0]));
        assertThat(new QuickParser(command).parse(words, 1)).isEmpty();
        assertThatThrownBy(() -> new FullParser().parse(command, words))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("--help");
    }

    @Test
    void everyNamedCommandExistsUnderItsName() {
        for (String name : CommandList.NAMES) {
            CommandList.Group group = CommandList.group(name);
            if (group == null) {
                assertThat(requireNonNull(CommandList.named(name)).name()).isEqualTo(name);
                continue;
            }
            assertThat(group.name()).isEqualTo(name);
            for (String inner : group.names()) {
                assertThat(requireNonNull(group.named(inner)).name()).isEqualTo(inner);
            }
            assertThat(group.named("nonsense")).isNull();
        }
        assertThat(CommandList.named("nonsense")).isNull();
    }

    @Test
    void optionsHaveNamesOfTheirOwn() {
        List<String> names = run.options().stream()
                .flatMap(option -> option.names().stream())
                .toList();
        assertThat(names).doesNotHaveDuplicates().doesNotContain("-h", "--help");
    }

    private static String describe(CommandSpec command, ParsedArguments arguments) {
        StringBuilder text = new StringBuilder();
        for (CommandOption option : command.options()) {
            if (arguments.has(option)) {
                text.append(option.names()).append(arguments.values(option)).append(' ');
            }
        }
        return text.append(arguments.operands()).toString();
    }
}
