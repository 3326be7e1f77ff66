package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.manual.ReferencePages;
import dev.cordon.config.setting.SettingTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual, as it is packaged: what the program writes, and what was written by hand. */
class ManPagesTest {
    @TempDir
    private Path manual;

    @BeforeEach
    void write() throws Exception {
        assertThat(new TestStdio().run("completion", "man", manual.toString())).isZero();
        Path byHand = Path.of(System.getProperty("cordon.root"), "packaging/man");
        try (Stream<Path> pages = Files.list(byHand)) {
            Files.createDirectories(manual.resolve("man8"));
            for (Path page : pages.toList()) {
                Files.copy(page, manual.resolve("man8").resolve(page.getFileName()));
            }
        }
    }

    @Test
    void everyPageIsSetWithoutAWarning() throws Exception {
        for (Path page : pages()) {
            assertThat(groff(page, "-z")).as(page.getFileName().toString()).isEmpty();
        }
    }

    @Test
    void everyCommandAndFileHasItsPage() throws Exception {
        assertThat(pages().stream().map(page -> page.getFileName().toString()))
                .contains(
                        "cordon.1",
                        "cordon-run.1",
                        "cordon-serve.1",
                        "cordon-config-show.1",
                        "cordon.toml.5",
                        "cordon-policy.5",
                        "cordon.service.8")
                .containsAll(CommandList.NAMES.stream()
                        .map(name -> "cordon-" + name + ".1")
                        .toList());
    }

    @Test
    void everySettingIsInItsPage() throws Exception {
        String page = rendered("man5/cordon.toml.5");
        assertThat(SettingTable.settings(ReferencePages.tables()))
                .hasSizeGreaterThan(80)
                .allSatisfy(setting -> assertThat(page).contains("\n       " + setting.name() + " "));
    }

    @Test
    void thePolicysPageHasItsKeysAndTheExample() throws Exception {
        assertThat(rendered("man5/cordon-policy.5"))
                .contains("require_hardware boolean", "writable_mount integer", "[risk.weights]", "KEYS OF quota");
    }

    /** No page names one that is not there; systemd's are there elsewhere. */
    @Test
    void otherPagesThatAreNamedExist() throws Exception {
        List<String> there = pages().stream()
                .map(page -> page.getFileName().toString().replaceFirst("\\.(\\d)$", "($1)"))
                .toList();
        for (Path page : pages()) {
            Files.readString(page)
                    .lines()
                    .filter(line -> line.startsWith(".BR "))
                    .map(line -> line.substring(4)
                            .replace(" ", "")
                            .replace("\\-", "-")
                            .replaceFirst("[,.]$", ""))
                    .filter(named -> named.startsWith("cordon") && named.endsWith(")"))
                    .forEach(named -> assertThat(there).as(page.toString()).contains(named));
        }
    }

    private List<Path> pages() throws Exception {
        try (Stream<Path> tree = Files.walk(manual)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private String rendered(String name) throws Exception {
        return groff(manual.resolve(name), "-P-cbou").replaceAll("[\\u2010\\u00ad]", "-");
    }

    private static String groff(Path page, String option) throws Exception {
        Process groff = new ProcessBuilder("groff", "-man", "-ww", "-Tutf8", "-rLL=100n", option, page.toString())
                .redirectErrorStream(true)
                .start();
        String text = new String(groff.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(groff.waitFor()).as(text).isZero();
        return text;
    }
}
