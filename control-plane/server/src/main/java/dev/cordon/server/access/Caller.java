package dev.cordon.server.access;

/**
 * Who sent a request.
 *
 * @param name  for the log: a token's id or a local user
 * @param owner whose jobs and sandboxes the caller's are
 * @param role  how far the caller may go
 */
public record Caller(String name, String owner, Role role) {
    /** Whether something of that owner is there for this caller. */
    public boolean sees(String other) {
        return role == Role.ADMIN || owner.equals(other);
    }
}
