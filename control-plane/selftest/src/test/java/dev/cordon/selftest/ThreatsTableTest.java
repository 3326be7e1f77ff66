package dev.cordon.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.UntriedThreat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/threats.md names every threat and, for each, tests that exist. */
final class ThreatsTableTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root", "."));

    /** How many ids each family has. They are never reused, so the numbers only grow. */
    private static final Map<String, Integer> FAMILIES = new TreeMap<>(
            Map.of("A", 11, "B", 16, "C", 13, "D", 18, "E", 10, "F", 8, "G", 3, "H", 11, "I", 21, "X", 25));

    private static final Pattern ROW = Pattern.compile("^\\| ([A-IX]-\\d\\d) \\| ([^|]+) \\| ([^|]+) \\|$");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test|test_\\w+)`");
    private static final Pattern NAME = Pattern.compile("`([\\w.]+)`");
    private static final Pattern QUOTED = Pattern.compile("\"([\\w.]+)\"");

    @Test
    void everyIdIsThereOnce() throws IOException {
        List<String> expected = new ArrayList<>();
        FAMILIES.forEach((family, count) ->
                IntStream.rangeClosed(1, count).forEach(i -> expected.add("%s-%02d".formatted(family, i))));
        assertThat(rows().stream().map(row -> row.group(1))).containsExactlyElementsOf(expected);
    }

    @Test
    void everyRowNamesAProbeATestOrWhatItWaitsFor() throws IOException {
        Set<String> tests = tests();
        Set<String> probes = Set.copyOf(Selftest.ids());
        for (MatchResult row : rows()) {
            String shown = row.group(3);
            List<String> named =
                    TEST.matcher(shown).results().map(match -> match.group(1)).toList();
            assertThat(tests).as(row.group(1)).containsAll(named);
            boolean probed = shown.contains("`selftest`");
            assertThat(probed || !named.isEmpty() || shown.startsWith("open: "))
                    .as(row.group(1) + " is shown by something")
                    .isTrue();
            if (probed && !row.group(1).equals("G-03")) {
                assertThat(probes).contains(row.group(1));
            }
        }
    }

    /** A probe that could not be tried anywhere is not a probe. */
    @Test
    void everyProbeThatTriesSomethingIsInTheTable() throws IOException {
        Set<String> probed = rows().stream()
                .filter(row -> row.group(3).contains("`selftest`"))
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        List<String> trying = ProbeCatalogue.all().stream()
                .filter(probe -> !(probe instanceof UntriedThreat))
                .map(Probe::id)
                .toList();
        assertThat(probed).containsAll(trying);
    }

    @Test
    void theTestsThatTheReadmesNameExist() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(ROOT)) {
            pages = files.filter(path -> path.getFileName().toString().equals("README.md"))
                    .filter(path -> !ROOT.relativize(path).toString().contains("build/"))
                    .toList();
        }
        Set<String> tests = tests();
        for (Path page : pages) {
            List<String> named = TEST.matcher(Files.readString(page))
                    .results()
                    .map(match -> match.group(1))
                    .toList();
            assertThat(tests).as(page.toString()).containsAll(named);
        }
        assertThat(pages).contains(ROOT.resolve("packaging/README.md"));
    }

    @Test
    void theAcceptedFilesAreThoseOfTheProbe() throws IOException {
        assertThat(between("docs/threats.md", "<!-- accepted: begin -->", "<!-- accepted: end -->", NAME))
                .containsExactlyInAnyOrderElementsOf(
                        between("native/probes/escape/e_between.c", "ACCEPTED[] = {", "};", QUOTED));
    }

    private static List<String> between(String file, String begin, String end, Pattern names) throws IOException {
        String text = Files.readString(ROOT.resolve(file));
        int from = text.indexOf(begin);
        assertThat(from).as(begin).isNotNegative();
        return names.matcher(text.substring(from, text.indexOf(end, from)))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static List<MatchResult> rows() throws IOException {
        try (Stream<String> lines = Files.lines(ROOT.resolve("docs/threats.md"))) {
            return lines.flatMap(line -> ROW.matcher(line).results()).toList();
        }
    }

    /** The names of all test classes and of the C tests in the tree. */
    private static Set<String> tests() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.endsWith("Test.java") || (name.startsWith("test_") && name.endsWith(".c")))
                    .map(name -> name.substring(0, name.lastIndexOf('.')))
                    .collect(Collectors.toSet());
        }
    }
}
