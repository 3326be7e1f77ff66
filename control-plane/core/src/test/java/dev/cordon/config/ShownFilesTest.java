package dev.cordon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShownFilesTest {
    @Test
    void theStandardListIsTheDefault() {
        assertThat(ShownFiles.parse("standard"))
                .isEqualTo(ShownFiles.STANDARD)
                .contains("/etc/fonts", "/etc/ssl/certs", "/var/lib/texmf");
        assertThat(ShownFiles.parse("")).isEmpty();
    }

    @Test
    void pathsAreAddedAndTakenOut() {
        assertThat(ShownFiles.parse("standard, /etc/site, -/etc/fonts,-/etc/R"))
                .contains("/etc/site", "/etc/ssl/certs")
                .doesNotContain("/etc/fonts", "/etc/R/Makeconf");
        assertThat(ShownFiles.parse("/etc/fonts")).containsExactly("/etc/fonts");
    }

    @Test
    void theDirectoriesOfJavaAreTakenOutTogether() {
        assertThat(ShownFiles.parse("standard")).contains("/etc/java-*");
        assertThat(ShownFiles.parse("standard,-/etc/java-*")).doesNotContain("/etc/java-*");
        assertThat(ShownFiles.parse("/etc/java-17-openjdk")).containsExactly("/etc/java-17-openjdk");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShownFiles.parse("/etc/site-*"))
                .withMessageContaining("a star");
    }

    @Test
    void whatContainsAnotherStandsForBoth() {
        assertThat(ShownFiles.parse("standard,/etc/R"))
                .contains("/etc/R")
                .noneMatch(path -> path.startsWith("/etc/R/"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc",
                "/var",
                "/usr/local",
                "etc/fonts",
                "/etc/../root",
                "/etc//fonts",
                "/etc/fonts/",
                "/etc/./x",
                "all"
            })
    void onlyPathsBelowEtcAndVar(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShownFiles.parse(text))
                .withMessageContaining("'" + text + "' is not a path below /etc or /var");
    }

    @ParameterizedTest
    @CsvSource({
        "/etc/shadow, /etc/shadow",
        "/etc/ssl, /etc/ssl/private",
        "/etc/ssh/ssh_config, /etc/ssh",
        "/etc/passwd, /etc/passwd",
        "/var/lib, /var/lib/cordon",
        "/etc/pki, /etc/pki/tls/private",
        "/etc/cordon/config.toml, /etc/cordon",
        "/var/tmp/x, /var/tmp"
    })
    void secretsAndWhatCordonMakesAreRefused(String text, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShownFiles.parse(text))
                .withMessageContaining("because of " + reason + ",");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-/etc/fonts,standard", "standard,/etc/R,-/etc/R/Makeconf", "standard,-", "-"})
    void whatIsNotThereByItselfCannotBeTakenOut(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShownFiles.parse(text))
                .withMessageContaining("takes out nothing");
    }
}
