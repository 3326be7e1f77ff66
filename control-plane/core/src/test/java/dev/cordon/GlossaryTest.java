package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/glossary.md: every word has a class that is there, and one sentence; every class whose name is one word has a word. */
class GlossaryTest {
    private static final Path TREE = Path.of(System.getProperty("cordon.root", "."));
    private static final Pattern ROW = Pattern.compile("\\| ([a-z ]+) \\| `([\\w.]+)` \\| [A-Z].*\\. \\|");
    private static final Pattern ONE_WORD = Pattern.compile("[\\w.]+\\.[A-Z][a-z0-9]*");
    private static final List<String> MODULES = List.of(
            "bindings",
            "vm",
            "control-plane/core",
            "control-plane/selftest",
            "control-plane/server",
            "control-plane/cli");

    /** Names that the world outside has given to what these classes stand for, by who gave them. */
    private static final Map<String, String> KNOWN_OUTSIDE = Map.of(
            "dev.cordon.bindings.Fd", "Linux: a file descriptor",
            "dev.cordon.bindings.Kernel", "Linux: its system calls",
            "dev.cordon.bindings.Libc", "C: its standard library",
            "dev.cordon.bindings.Pipe", "Linux: pipe(2)",
            "dev.cordon.bindings.value.Errno", "C: errno(3)",
            "dev.cordon.bindings.value.Rlimit", "Linux: setrlimit(2)",
            "dev.cordon.cli.Main", "Java: the class that a program starts with");

    /** Packages of messages, whose classes have the names that cordon_wire.h gives to the messages. */
    private static final Set<String> MESSAGES =
            Set.of("dev.cordon.bindings.wire.reply", "dev.cordon.bindings.wire.request");

    @Test
    void everyWordHasAClass() throws IOException {
        assertThat(rows().map(row -> row.group(2)))
                .hasSizeGreaterThan(39)
                .doesNotHaveDuplicates()
                .isSubsetOf(classes());
    }

    @Test
    void everyNameOfOneWordIsAWord() throws IOException {
        Map<String, String> words = rows().collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
        assertThat(classes())
                .filteredOn(name -> ONE_WORD.matcher(name).matches() && !isExempt(name))
                .hasSizeGreaterThan(39)
                .as("classes of one word that is not in docs/glossary.md; say in two words what each is")
                .filteredOn(name -> !isWord(name, words))
                .isEmpty();
    }

    @Test
    void everyExemptionIsNeeded() throws IOException {
        assertThat(classes()).containsAll(KNOWN_OUTSIDE.keySet());
        assertThat(KNOWN_OUTSIDE.keySet()).allMatch(ONE_WORD.asMatchPredicate());
        assertThat(classes().stream().filter(ONE_WORD.asMatchPredicate()).map(GlossaryTest::packageOf))
                .containsAll(MESSAGES);
        assertThat(rows().map(row -> row.group(2))).noneMatch(GlossaryTest::isExempt);
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

    /** A word stands for one class; its plural may stand for any that has to do with several. */
    private static boolean isWord(String name, Map<String, String> words) {
        String word = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return name.equals(words.get(word))
                || (word.endsWith("s") && words.containsKey(word.substring(0, word.length() - 1)));
    }

    private static boolean isExempt(String name) {
        return KNOWN_OUTSIDE.containsKey(name) || MESSAGES.contains(packageOf(name));
    }

    private static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    private static Stream<MatchResult> rows() throws IOException {
        return lines().stream().flatMap(line -> ROW.matcher(line).results());
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(TREE.resolve("docs/glossary.md"));
    }

    /** The full names of all top-level types of main code; what is generated has its names from C. */
    private static Set<String> classes() throws IOException {
        Set<String> classes = new TreeSet<>();
        for (String module : MODULES) {
            Path sources = TREE.resolve(module + "/src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                files.map(file -> sources.relativize(file).toString())
                        .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
                        .map(file -> file.replaceFirst("\\.java$", "").replace('/', '.'))
                        .forEach(classes::add);
            }
        }
        return classes;
    }
}
