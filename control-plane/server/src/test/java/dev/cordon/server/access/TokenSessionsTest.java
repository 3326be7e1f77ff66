package dev.cordon.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenSessionsTest {
    private final AtomicInteger ended = new AtomicInteger();
    private final TokenSessions sessions = TokenSessions.start(id -> true);

    @AfterEach
    void close() {
        sessions.close();
    }

    @Test
    void whatIsOpenEndsOnce() {
        TokenSessions.Session stays = sessions.enter("other", ended::incrementAndGet);
        TokenSessions.Session session = sessions.enter("one", ended::incrementAndGet);
        sessions.revoked("one", null);
        sessions.revoked("one", null);
        await().until(() -> ended.get() == 1);
        assertThat(session.over()).isTrue();
        assertThat(stays.over()).isFalse();
        assertThat(sessions.count()).isEqualTo(1);
    }

    /** A token whose secret was changed still stands; what was opened by the old secret is over nevertheless. */
    @Test
    void whatIsBetweenTwoSessionsIsOverToo() {
        TokenSessions.Session request = sessions.enter("one", ended::incrementAndGet);
        request.close();
        sessions.revoked("one", null);
        assertThat(sessions.enter(request, ended::incrementAndGet).over()).isTrue();
        TokenSessions.Session later = sessions.enter("one", ended::incrementAndGet);
        assertThat(sessions.enter(later, ended::incrementAndGet).over())
                .as("by the new secret")
                .isFalse();
    }

    @Test
    void timeGoesOnWithWhatARequestBecomes() {
        TokenSessions.Session request = sessions.enter("one", ended::incrementAndGet);
        request.until(Instant.EPOCH);
        assertThat(sessions.enter(request, ended::incrementAndGet).over()).isTrue();
    }
}
