package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/design.md: its map is that of the tree, and its recipes name files that are there. With CORDON_GOLDEN_WRITE=1 the map is written anew. */
final class DesignPageTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root", "."));
    private static final Path PAGE = ROOT.resolve("docs/design.md");
    private static final String BEGIN = "<!-- packages: begin -->\n";
    private static final String END = "<!-- packages: end -->\n";

    private static final List<String> MODULES = List.of(
            "bindings",
            "vm",
            "control-plane/core",
            "control-plane/selftest",
            "control-plane/server",
            "control-plane/cli");

    private static final Pattern INFO =
            Pattern.compile("/\\*\\*(.*?)\\*/.*?^package ([\\w.]+);", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern FILE = Pattern.compile(
            "`((?:native|bindings|vm|control-plane|seccomp-profiles|packaging|docs)/[^`\\s]+|(?:SECURITY|CHANGELOG)\\.md)`");

    @Test
    void theMapHasEveryPackage() throws IOException {
        String page = Files.readString(PAGE);
        String written =
                page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + map() + page.substring(page.indexOf(END));
        if (System.getenv("CORDON_GOLDEN_WRITE") != null) {
            Files.writeString(PAGE, written);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(written);
    }

    @Test
    void everyFileOfARecipeIsThere() throws IOException {
        List<String> named = FILE.matcher(Files.readString(PAGE))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(named).hasSizeGreaterThan(60);
        assertThat(named).allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
    }

    private static String map() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String module : MODULES) {
            Map<String, String> packages = packages(ROOT.resolve(module).resolve("src/main/java"));
            text.append("\n### ").append(module).append("\n\n| package | who belongs in it |\n|---|---|\n");
            packages.forEach((name, sentence) -> text.append("| `%s` | %s |\n".formatted(name, sentence)));
        }
        return text.append('\n').toString();
    }

    private static Map<String, String> packages(Path sources) throws IOException {
        Map<String, String> packages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(path -> path.endsWith("package-info.java")).toList()) {
                Matcher info = INFO.matcher(Files.readString(file));
                assertThat(info.find()).as(file.toString()).isTrue();
                packages.put(
                        info.group(2),
                        info.group(1).replaceAll("\\s*\n\\s*\\*\\s*", " ").strip());
            }
        }
        assertThat(packages).as(sources.toString()).isNotEmpty();
        return packages;
    }
}
