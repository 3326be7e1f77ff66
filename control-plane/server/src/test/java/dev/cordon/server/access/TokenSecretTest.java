package dev.cordon.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenSecretTest {
    @Test
    void aSecretIsReadBackAndMatchesItsOwnHashAlone() {
        for (int i = 0; i < 1_000; i++) {
            TokenSecret secret = TokenSecret.create();
            assertThat(TokenSecret.parse(secret.text())).contains(secret);
            assertThat(secret.matches(secret.hash())).isTrue();
            assertThat(secret.matches(TokenSecret.create().hash())).isFalse();
            assertThat(secret.toString()).doesNotContain(secret.secret());
        }
    }

    @Test
    void whatIsNoTokenIsNone() {
        for (String text : new String[] {
            "", "cordon_", "cordon__", "cordon_a_", "cordon__b", "other_a_b", "cordon_a_" + "b".repeat(200)
        }) {
            assertThat(TokenSecret.parse(text)).as(text).isEmpty();
        }
    }

    @Test
    void anOwnerSeesItsOwnAndAnAdministratorEverything() {
        assertThat(new Caller("t", "a", Role.SUBMIT).sees("a")).isTrue();
        assertThat(new Caller("t", "a", Role.SUBMIT).sees("b")).isFalse();
        assertThat(new Caller("t", "a", Role.ADMIN).sees("b")).isTrue();
        assertThat(Role.SUBMIT.includes(Role.READ)).isTrue();
        assertThat(Role.READ.includes(Role.SUBMIT)).isFalse();
    }
}
