package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The name of a test says which suite runs it. */
final class TestNamesTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root", "."));
    private static final Pattern TAG = Pattern.compile("^@Tag\\(\"(\\w+)\"\\)$", Pattern.MULTILINE);

    private static final Map<String, String> ENDINGS =
            Map.of("jail", "JailTest", "vm", "VmTest", "guest", "GuestTest", "inside", "InsideTest");

    @Test
    void everyTestIsNamedAfterItsSuite() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<Path> tests = tests();
        for (Path test : tests) {
            String name = test.getFileName().toString().replace(".java", "");
            if (!fits(name, Files.readString(test))) {
                wrong.add(name);
            }
        }
        assertThat(tests).hasSizeGreaterThan(250);
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "RunJailTest, jail, true",
        "RunTest, jail, false",
        "BootVmTest, vm, true",
        "BootJailTest, vm, false",
        "RunTest, long, true",
        "RunJailTest, long, false"
    })
    void theRuleTellsThemApart(String name, String tag, boolean fits) {
        assertThat(fits(name, "@Tag(\"" + tag + "\")\nclass " + name + " {}")).isEqualTo(fits);
    }

    private static boolean fits(String name, String source) {
        Optional<String> suite = TAG.matcher(source)
                .results()
                .map(match -> match.group(1))
                .filter(ENDINGS::containsKey)
                .findFirst();
        return suite.map(tag -> name.endsWith(ENDINGS.getOrDefault(tag, "")))
                .orElseGet(() -> ENDINGS.values().stream().noneMatch(name::endsWith));
    }

    private static List<Path> tests() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().contains("/src/test/java/"))
                    .filter(file -> file.toString().endsWith("Test.java"))
                    .toList();
        }
    }
}
