package dev.cordon.server.access;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An API token as it is kept: without its secret.
 *
 * @param id      its public part
 * @param owner   whose jobs it sees
 * @param role    how far it goes
 * @param note    what it is for, in the words of who made it
 * @param created when it was made
 * @param expires when it ends; null for never
 */
public record ApiToken(
        String id,
        String owner,
        Role role,
        String note,
        Instant created,
        @Nullable Instant expires) {
    /** Whether it is over. */
    public boolean expired(Instant now) {
        return expires != null && !now.isBefore(expires);
    }

    /** Whether another one allows the same, to the same owner and for the same time. */
    boolean allowsLike(ApiToken other) {
        return owner.equals(other.owner) && role == other.role && Objects.equals(expires, other.expires);
    }
}
