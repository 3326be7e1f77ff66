package dev.cordon.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialTokensTest {
    private static final String SECRET = "cordon_ci_" + "0123456789abcdef".repeat(4);

    @TempDir
    Path directory;

    private CredentialTokens read(String line) throws IOException {
        Files.writeString(directory.resolve("tokens_one"), line);
        return CredentialTokens.read(directory);
    }

    @Test
    void aLineIsAToken() throws Exception {
        Files.writeString(directory.resolve("unrelated"), "not for us");
        CredentialTokens tokens = read("alice submit " + SECRET + "\n");
        ApiToken token = tokens.verify(TokenSecret.parse(SECRET).orElseThrow()).orElseThrow();
        assertThat(token.owner()).isEqualTo("alice");
        assertThat(token.role()).isEqualTo(Role.SUBMIT);
        assertThat(token.note()).isEqualTo("from one");
        assertThat(tokens.list()).containsExactly(token);
        assertThat(tokens.verify(TokenSecret.parse(SECRET + "0").orElseThrow())).isEmpty();
        assertThat(tokens.verify(
                        TokenSecret.parse("cordon_other_" + "0".repeat(64)).orElseThrow()))
                .isEmpty();
    }

    @Test
    void aLineMaySayWhenItsTokenEnds() throws Exception {
        CredentialTokens tokens = read("alice submit " + SECRET + " 2027-06-30T00:00:00Z\n");
        assertThat(tokens.list().getFirst().expires()).isEqualTo(Instant.parse("2027-06-30T00:00:00Z"));
        assertThat(tokens.named("ci")).isPresent();
        assertThatThrownBy(() -> read("alice submit " + SECRET + " tomorrow"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tokens_one")
                .hasMessageContaining("2027-06-30T00:00:00Z")
                .hasMessageNotContaining("0123456789abcdef");
    }

    @Test
    void withoutADirectoryThereAreNone() throws Exception {
        assertThat(CredentialTokens.read(null).list()).isEmpty();
        assertThat(CredentialTokens.read(directory.resolve("absent")).list()).isEmpty();
    }

    @Test
    void anythingElseIsRefusedWithItsFileAndWithoutItsSecret() {
        for (String line : new String[] {
            "", "alice " + SECRET, "alice king " + SECRET, "a/b submit " + SECRET, "alice submit cordon_ci_short"
        }) {
            assertThatThrownBy(() -> read(line))
                    .as(line)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("tokens_one")
                    .hasMessageNotContaining("0123456789abcdef");
        }
    }

    @Test
    void anIdIsUsedOnce() throws Exception {
        Files.writeString(directory.resolve("tokens_two"), "bob read " + SECRET);
        assertThatThrownBy(() -> read("alice submit " + SECRET)).hasMessageContaining("another file");
    }
}
