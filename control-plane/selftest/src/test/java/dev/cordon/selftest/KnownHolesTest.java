package dev.cordon.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/known-holes.md: the account of a run takes in every entry, and whatever reaches the kernel has its reason. */
final class KnownHolesTest {
    private static final Path DOCUMENT = Path.of(System.getProperty("cordon.root", "."), "docs/known-holes.md");
    private static final int ENTRIES = 103;
    private static final Pattern ROW = Pattern.compile("^\\| (cve-[^|]+) \\|(.*)\\|$");
    private static final Pattern COUNT = Pattern.compile("^\\| ([a-z ]+) \\| (\\d+) \\|$");

    private static Map<String, List<String>> sections() throws IOException {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        String title = "";
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.startsWith("## ")) {
                title = line.substring(3).toLowerCase(Locale.ROOT);
            } else if (ROW.matcher(line).matches()) {
                sections.computeIfAbsent(title, ignored -> new ArrayList<>()).add(line);
            }
        }
        return sections;
    }

    @Test
    void theCountsAreThoseOfTheTables() throws IOException {
        Map<String, List<String>> sections = sections();
        assertThat(sections.values().stream().mapToInt(List::size).sum()).isEqualTo(ENTRIES);
        int counted = 0;
        try (Stream<String> lines = Files.lines(DOCUMENT)) {
            for (Matcher count :
                    lines.map(COUNT::matcher).filter(Matcher::matches).toList()) {
                assertThat(sections.getOrDefault(count.group(1), List.of()))
                        .as(count.group(1))
                        .hasSize(Integer.parseInt(count.group(2)));
                counted++;
            }
        }
        assertThat(counted).isEqualTo(sections.size());
    }

    @Test
    void whateverReachesTheKernelHasItsReason() throws IOException {
        for (String title : List.of("reach the kernel", "gave up at another obstacle first")) {
            assertThat(sections().getOrDefault(title, List.of())).isNotEmpty().allSatisfy(row -> {
                String[] cells = row.replace("\\|", "/").split("\\|", -1);
                assertThat(cells).hasSize(7);
                assertThat(cells[5]).isNotBlank();
            });
        }
    }
}
