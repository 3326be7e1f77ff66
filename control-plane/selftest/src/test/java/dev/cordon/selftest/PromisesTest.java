package dev.cordon.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.selftest.rig.Probe;
import dev.cordon.selftest.rig.UntriedThreat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every promise of SECURITY.md names probes and tests that exist, and what it calls open is open in docs/threats.md. */
final class PromisesTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root", "."));
    private static final Pattern ROW = Pattern.compile("^\\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\|$");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");
    private static final Pattern ID = Pattern.compile("\\b([A-IX]-\\d\\d)\\b");
    private static final Pattern OPEN = Pattern.compile("^\\| ([A-IX]-\\d\\d) \\| [^|]+ \\| open: .*");

    private static List<MatchResult> promises() throws IOException {
        try (Stream<String> lines = Files.lines(ROOT.resolve("SECURITY.md"))) {
            return lines.flatMap(line -> ROW.matcher(line).results()).toList();
        }
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    @Test
    void everyPromiseIsNumberedOnce() throws IOException {
        List<MatchResult> rows = promises();
        assertThat(rows).hasSizeGreaterThan(15);
        assertThat(rows.stream().map(row -> row.group(1))).doesNotHaveDuplicates();
    }

    @Test
    void everyPromiseNamesProbesAndTestsThatExist() throws IOException {
        Set<String> trying = ProbeCatalogue.all().stream()
                .filter(probe -> !(probe instanceof UntriedThreat))
                .map(Probe::id)
                .collect(Collectors.toSet());
        Set<String> tests = tests();
        for (MatchResult row : promises()) {
            List<String> probes = found(ID, row.group(3));
            List<String> named = found(TEST, row.group(3));
            assertThat(trying).as("promise " + row.group(1)).containsAll(probes);
            assertThat(tests).as("promise " + row.group(1)).containsAll(named);
            assertThat(probes.size() + named.size())
                    .as("promise " + row.group(1))
                    .isPositive();
        }
    }

    /** Neither page says that something is open of which the other says that it is shown. */
    @Test
    void whatIsOpenIsSaidOnBothPages() throws IOException {
        String page = Files.readString(ROOT.resolve("SECURITY.md"));
        int from = page.indexOf("## Open");
        String section = page.substring(from, page.indexOf("\n## ", from + 1));
        Set<String> open;
        try (Stream<String> lines = Files.lines(ROOT.resolve("docs/threats.md"))) {
            open = lines.flatMap(line -> OPEN.matcher(line).results())
                    .map(match -> match.group(1))
                    .collect(Collectors.toSet());
        }
        Set<String> named = found(ID, section.replace("F-02 to F-07", "F-02 F-03 F-04 F-05 F-06 F-07")).stream()
                .collect(Collectors.toSet());
        assertThat(named).isEqualTo(open);
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.substring(0, name.lastIndexOf('.')))
                    .collect(Collectors.toSet());
        }
    }
}
