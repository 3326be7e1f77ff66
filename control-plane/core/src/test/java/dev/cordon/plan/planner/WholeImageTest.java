package dev.cordon.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeImageTest {
    /** Lines with '/' between them. */
    @ParameterizedTest
    @CsvSource({
        "root:x:0:                        , root:x:0: / cordon:x:1000:",
        "root:x:0: / node:x:1000:         , root:x:0: / node:x:1000:",
        "root:x:0: / cordon:x:999: / a:x:5: , root:x:0: / a:x:5: / cordon:x:1000:",
        "cordon:x:999: / node:x:1000:     , cordon:x:999: / node:x:1000:",
        "cordon                           , cordon:x:1000:",
        "cordoned:x:7:                    , cordoned:x:7: / cordon:x:1000:"
    })
    void theJobsNameAndNumberBelongTogether(String own, String shown) {
        RootLayout layout = new RootLayout();
        ImageSettings settings = new ImageSettings(CommandDefaults.NONE, lines(own), lines(own));
        ImageRoot image =
                new ImageRoot(Path.of("/image"), new TreeMap<>(Map.of("/usr", new HostEntry.Directory())), settings);
        WholeImage.build(layout, image, settings, false);
        assertThat(text(layout, "/etc/group")).isEqualTo(lines(shown));
        assertThat(text(layout, "/etc/passwd"))
                .isEqualTo(lines(shown).replace("cordon:x:1000:", "cordon:x:1000:1000:cordon:/workspace:/bin/sh"));
    }

    private static String lines(String text) {
        return text.strip().replace(" / ", "\n") + "\n";
    }

    private static String text(RootLayout layout, String path) {
        return layout.operations().stream()
                .filter(RootStep.TextFile.class::isInstance)
                .map(RootStep.TextFile.class::cast)
                .filter(file -> file.path().equals(path))
                .findFirst()
                .orElseThrow()
                .content();
    }
}
