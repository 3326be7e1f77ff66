package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands and options that documents show are there. */
final class DocumentedCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root", "."));
    private static final int DEEPEST_PAGE = 3;

    /** Code between backticks, and lines of indented or fenced blocks. */
    private static final Pattern CODE = Pattern.compile("(?<!`)`([^`\n]+)`(?!`)");

    /** A call: its words, up to the job's own command, a comment, or the end of the call. */
    private static final Pattern CALL =
            Pattern.compile("(?<![\\w/.-])(?:\\./)?cordon ([a-z]+)(?: ([a-z]+))?([^;|&#)]*)");

    private static final Pattern OPTION = Pattern.compile("(?<=[ \\[])(--[a-z][a-z-]*)");
    private static final Set<String> ALWAYS = Set.of("--help");

    @Test
    void everyCommandAndItsOptionsAreThere() throws IOException {
        List<String> wrong = new ArrayList<>();
        int calls = 0;
        for (Path page : pages()) {
            for (String code : snippets(Files.readString(page))) {
                for (Matcher call = CALL.matcher(code); call.find(); ) {
                    calls++;
                    complaint(call).ifPresent(why -> wrong.add(page + ": " + code + ": " + why));
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(calls).isGreaterThan(80);
    }

    @ParameterizedTest
    @CsvSource({
        "cordon run --memory 1G -- ls --all, ''",
        "cordon audit verify --journal, ''",
        "cordon walk, walk",
        "cordon audit walk, walk",
        "cordon run --memroy 1G -- true, --memroy"
    })
    void theRuleTellsThemApart(String line, String complaint) {
        Matcher call = CALL.matcher(line);
        assertThat(call.find()).isTrue();
        assertThat(complaint(call).orElse("")).isEqualTo(complaint);
    }

    /** The first word of a call that is not known. */
    private static Optional<String> complaint(Matcher call) {
        String name = call.group(1);
        String second = Objects.requireNonNullElse(call.group(2), "");
        if (!CommandList.NAMES.contains(name)) {
            return Optional.of(name);
        }
        CommandList.Group group = CommandList.group(name);
        if (group != null && second.isEmpty()) {
            return Optional.empty();
        }
        CommandSpec spec = group == null ? CommandList.named(name) : group.named(second);
        if (spec == null) {
            return Optional.of(second);
        }
        Set<String> known = options(spec);
        String rest = call.group(3);
        int job = (rest + " ").indexOf(" -- ");
        return OPTION.matcher(job < 0 ? rest : rest.substring(0, job))
                .results()
                .map(match -> match.group(1))
                .filter(option -> !known.contains(option))
                .findFirst();
    }

    private static Set<String> options(CommandSpec spec) {
        Set<String> names = new HashSet<>(ALWAYS);
        for (CommandOption option : spec.options()) {
            names.addAll(option.names());
        }
        return names;
    }

    private static List<String> snippets(String page) {
        List<String> code = new ArrayList<>();
        boolean fenced = false;
        for (String line : page.lines().toList()) {
            if (line.startsWith("```")) {
                fenced = !fenced;
            } else if (fenced || line.startsWith("    ")) {
                code.add(line);
            } else {
                CODE.matcher(line).results().map(match -> match.group(1)).forEach(code::add);
            }
        }
        return code;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, DEEPEST_PAGE)) {
            List<Path> pages = files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !ROOT.relativize(file).toString().contains("build/"))
                    .toList();
            assertThat(pages).contains(ROOT.resolve("README.md"), ROOT.resolve("docs/policy.md"));
            return pages;
        }
    }
}
