package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/glossary.md: every word has a class that is there, and one sentence. */
class GlossaryTest {
    private static final Path TREE = Path.of(System.getProperty("cordon.root", "."));
    private static final Pattern ROW = Pattern.compile("\\| ([a-z ]+) \\| `([\\w.]+)` \\| [A-Z].*\\. \\|");
    private static final List<String> MODULES = List.of(
            "bindings",
            "vm",
            "control-plane/core",
            "control-plane/selftest",
            "control-plane/server",
            "control-plane/cli");

    @Test
    void everyWordHasAClass() throws IOException {
        assertThat(rows().map(row -> row.group(2)))
                .hasSizeGreaterThan(39)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(MODULES)
                        .as(name)
                        .anyMatch(module -> Files.exists(
                                TREE.resolve(module + "/src/main/java/" + name.replace('.', '/') + ".java"))));
    }

    @Test
    void wordsAreInOrder() throws IOException {
        assertThat(rows().map(row -> row.group(1))).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void everyRowOfTheTableIsRead() throws IOException {
        assertThat(lines().stream().filter(line -> line.startsWith("| ") && line.contains("`")))
                .hasSize((int) rows().count());
    }

    private static Stream<MatchResult> rows() throws IOException {
        return lines().stream().flatMap(line -> ROW.matcher(line).results());
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(TREE.resolve("docs/glossary.md"));
    }
}
