package dev.cordon.server.store;

import dev.cordon.server.access.ApiToken;
import dev.cordon.server.access.CredentialTokens;
import dev.cordon.server.access.Role;
import dev.cordon.server.access.TokenSecret;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The API tokens. A revoked one is refused from the next request on, whoever revoked it; what it has open is ended by who watches it. */
public final class TokenStore {
    /** How long a token may last that does not last for ever. */
    public static final Duration LONGEST = Duration.ofDays(3650);

    private static final String COLUMNS = "SELECT id, owner, role, note, created, expires, hash FROM tokens";

    private final SqliteDatabase database;
    private volatile CredentialTokens credentials;

    /** In this file. */
    public TokenStore(SqliteDatabase database) {
        this(database, CredentialTokens.NONE);
    }

    /** In this file, and those that the operator keeps outside it, which {@link #revoke} does not reach. */
    public TokenStore(SqliteDatabase database, CredentialTokens credentials) {
        this.database = database;
        this.credentials = credentials;
    }

    /**
     * Makes a token. Its secret is not to be had again.
     *
     * @param first told its id before there is a token; what it throws keeps the token from being made
     * @throws IllegalArgumentException when the owner's name or the note is invalid
     */
    public TokenSecret create(String owner, Role role, String note, @Nullable Instant expires, Consumer<String> first) {
        if (!owner.matches("[A-Za-z0-9._@-]{1,64}")) {
            throw new IllegalArgumentException("an owner has 1 to 64 letters, digits and -_.@");
        }
        if (note.length() > 200 || note.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a note has at most 200 characters, none of them control characters");
        }
        TokenSecret secret = TokenSecret.create();
        first.accept(secret.id());
        SqlStatement insert = new SqlStatement(
                "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)",
                secret.id(),
                secret.hash(),
                owner,
                role.label(),
                note,
                Instant.now().toEpochMilli(),
                expires == null ? null : expires.toEpochMilli());
        database.written(insert::update);
        return secret;
    }

    /** The token that a secret belongs to, also when its time is up; empty when it is none. */
    public Optional<ApiToken> find(TokenSecret secret) {
        Optional<ApiToken> outside = credentials.verify(secret);
        return outside.isPresent()
                ? outside
                : database.check(connection -> {
                    try (PreparedStatement select = connection.prepareStatement(COLUMNS + " WHERE id = ?")) {
                        select.setString(1, secret.id());
                        ResultSet row = select.executeQuery();
                        byte[] kept = row.next() ? row.getBytes("hash") : new byte[32];
                        // Compared also when there is no such id: the time tells neither.
                        return secret.matches(kept) ? Optional.of(token(row)) : Optional.<ApiToken>empty();
                    }
                });
    }

    /** The token of an id; empty when there is none. */
    public Optional<ApiToken> named(String id) {
        Optional<ApiToken> outside = credentials.named(id);
        return outside.isPresent()
                ? outside
                : database.check(connection ->
                        new SqlStatement(COLUMNS + " WHERE id = ?", id).first(connection, TokenStore::token));
    }

    /** Whether a token is kept in a file of the operator's, which {@link #revoke} does not reach. */
    public boolean isOutside(String id) {
        return credentials.named(id).isPresent();
    }

    /** Other tokens in the operator's files from now on. The ids of those that are no longer what they were. */
    public Set<String> replace(CredentialTokens others) {
        Set<String> changed = credentials.changedIn(others);
        credentials = others;
        return changed;
    }

    /** All tokens: those of the operator's files, then the oldest first. */
    public List<ApiToken> list() {
        SqlStatement select = new SqlStatement(COLUMNS + " ORDER BY created, id");
        List<ApiToken> tokens = new ArrayList<>(credentials.list());
        tokens.addAll(database.read(connection -> select.all(connection, TokenStore::token)));
        return tokens;
    }

    /** Ends a token; false when there is none of that id. */
    public boolean revoke(String id) {
        return database.written(new SqlStatement("DELETE FROM tokens WHERE id = ?", id)::update) > 0;
    }

    private static ApiToken token(ResultSet row) throws SQLException {
        long expires = row.getLong("expires");
        boolean forever = row.wasNull();
        return new ApiToken(
                row.getString("id"),
                row.getString("owner"),
                Role.parse(row.getString("role")),
                row.getString("note"),
                Instant.ofEpochMilli(row.getLong("created")),
                forever ? null : Instant.ofEpochMilli(expires));
    }
}
