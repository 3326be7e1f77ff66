package dev.cordon.server.access;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is open by tokens: requests that are being answered, streams, terminals. It ends with its token: at once when this service revokes
 * it, within a second when its time is up or another process took it out of the database.
 */
public final class TokenSessions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TokenSessions.class);
    private static final Duration LOOK = Duration.ofMillis(500);

    /** Longer than a request takes to become something else. */
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private final Predicate<String> standing;
    private final Set<Session> open = ConcurrentHashMap.newKeySet();

    /** When what tokens had open was last ended, for what is between two sessions then. */
    private final Map<String, Long> ended = new ConcurrentHashMap<>();

    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cordon-tokens").factory());

    private TokenSessions(Predicate<String> standing) {
        this.standing = standing;
    }

    /**
     * Begins to look.
     *
     * @param standing whether there is a token of that id
     */
    public static TokenSessions start(Predicate<String> standing) {
        TokenSessions sessions = new TokenSessions(standing);
        var _ = sessions.looking.scheduleWithFixedDelay(
                sessions::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
        return sessions;
    }

    /** Something that is open by a token, until it is closed. */
    public final class Session implements AutoCloseable {
        private final String id;
        private final Runnable end;
        private final long since = System.nanoTime();
        private volatile @Nullable Instant expires;
        private volatile boolean over;

        private Session(String id, Runnable end) {
            this.id = id;
            this.end = end;
        }

        /** The token's id. */
        public String id() {
            return id;
        }

        /** When its token ends, known once that was looked up. */
        public void until(@Nullable Instant time) {
            expires = time;
        }

        /** Whether its token is over: nothing more is taken from who holds it, also before it is closed. */
        public boolean over() {
            Instant time = expires;
            return over || (time != null && !Instant.now().isBefore(time));
        }

        private void end() {
            if (open.remove(this)) {
                over = true;
                Thread.startVirtualThread(end); // a client that reads nothing keeps nobody waiting
            }
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }

    /**
     * Something is opened. To be called before the token is looked up: whoever revokes it afterwards finds the session.
     *
     * @param end what ends it; run once, by a thread of its own
     */
    public Session enter(String id, Runnable end) {
        Session session = new Session(id, end);
        open.add(session);
        return session;
    }

    /** Enters what follows from something that a token opened before. */
    public Session enter(Session before, Runnable end) {
        Session session = enter(before.id, end);
        session.until(before.expires);
        Long last = ended.get(before.id); // after the session: whoever ends it later finds that
        if (before.over() || (last != null && last - before.since >= 0)) {
            session.over = true;
        }
        return session;
    }

    /** Whether there is a token of that id. */
    public boolean stands(String id) {
        return standing.test(id);
    }

    /**
     * Ends what a token has open.
     *
     * @param but what stays: the request that revokes the token itself must get its answer; null for nothing
     */
    public void revoked(String id, @Nullable Session but) {
        ended.put(id, System.nanoTime());
        List<Session> ending = open.stream()
                .filter(session -> session.id.equals(id) && session != but)
                .toList();
        ending.forEach(Session::end);
        if (!ending.isEmpty()) {
            LOG.info("token {} is over: {} open requests, streams and terminals end", id, ending.size());
        }
    }

    /**
     * Ends what is open by tokens that are over: first those whose time is up, for which nobody has to be asked. What cannot be asked about
     * now is asked about at the next look, which comes whatever goes wrong in this one.
     */
    public void look() {
        long now = System.nanoTime();
        ended.values().removeIf(time -> now - time > REMEMBERED.toNanos());
        open.stream().filter(Session::over).forEach(Session::end);
        for (String id : open.stream().map(Session::id).distinct().toList()) {
            try {
                if (!standing.test(id)) {
                    revoked(id, null);
                }
            } catch (RuntimeException | Error e) {
                LOG.warn("token {}: whether it still stands cannot be looked up: {}", id, e.toString());
            }
        }
    }

    /** How many there are. */
    public int count() {
        return open.size();
    }

    @Override
    public void close() {
        looking.shutdownNow();
    }
}
