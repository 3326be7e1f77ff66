package dev.cordon.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.config.Config;
import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.server.ServiceCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What documents and the packaged file say of settings is what is declared. With CORDON_GOLDEN_WRITE=1 the page is written anew. */
class SettingsPageTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root"));
    private static final Path PAGE = ROOT.resolve("docs/configuration.md");
    private static final String BEGIN = "<!-- settings: begin -->\n";
    private static final String END = "<!-- settings: end -->\n";

    @TempDir
    private Path folder;

    @Test
    void thePageHasEverySettingAsItIsDeclared() throws IOException {
        String page = Files.readString(PAGE);
        String written =
                page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + tables() + page.substring(page.indexOf(END));
        if (System.getenv("CORDON_GOLDEN_WRITE") != null) {
            Files.writeString(PAGE, written);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(written);
    }

    @Test
    void thePageNamesNoOtherSetting() throws IOException {
        Matcher named = Pattern.compile(
                        "`((?:limits|ceilings|ids|host|paths|pool|memory|audit|policy|tools|vm|server)\\."
                                + "(?!toml)[a-z_-]+)`")
                .matcher(Files.readString(PAGE));
        assertThat(named.results().map(match -> match.group(1)).distinct())
                .hasSizeGreaterThan(80)
                .isSubsetOf(SettingTable.settings(ReferencePages.tables())
                        .map(Setting::name)
                        .toList());
    }

    /** Also with every line that is commented out. */
    @Test
    void thePackagedFileIsValid() throws IOException {
        String packaged = Files.readString(ROOT.resolve("packaging/config.toml"));
        Path file = folder.resolve("config.toml");
        for (String text : new String[] {packaged, packaged.replaceAll("(?m)^# (\\[[a-z]+\\]|[a-z_]+ = )", "$1")}) {
            Files.writeString(file, text);
            assertThat(ServiceCommands.settingsErrors(Config.load(file))).isEmpty();
        }
        assertThat(Config.load(file).settings())
                .containsKeys("audit.enabled", "limits.memory", "ceilings.timeout", "server.max_running");
    }

    private static String tables() {
        StringBuilder text = new StringBuilder();
        for (SettingTable table : ReferencePages.tables()) {
            text.append("\n### [").append(table.name()).append("]\n\n").append(table.text());
            text.append("\n\n| setting | value | default | |\n|---|---|---|---|\n");
            for (Setting<?> setting : table.settings()) {
                text.append("| `%s` | %s | %s | %s |\n"
                        .formatted(
                                setting.name(),
                                ReferencePages.value(setting.type()).replace(" | ", ", "),
                                setting.standard().isEmpty() ? "" : "`" + setting.standard() + "`",
                                setting.text()));
            }
        }
        return text.append('\n').toString();
    }
}
