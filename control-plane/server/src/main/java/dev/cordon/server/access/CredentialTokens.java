package dev.cordon.server.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that the operator keeps in files instead of the database, handed over by systemd (LoadCredential=tokens:DIRECTORY, systemd.exec(5)).
 * A file holds one line: {@code OWNER ROLE cordon_ID_SECRET}, and after it when the token ends, such as {@code 2027-06-30T00:00:00Z}; one
 * without that never does. Its token is known as long as the file is there when the service starts or reloads. Only the hash of the secret
 * is kept.
 */
public final class CredentialTokens {
    /** No such tokens. */
    public static final CredentialTokens NONE = new CredentialTokens();

    private static final String PREFIX = "tokens_";
    private static final int SHORTEST_SECRET = 32;

    private final Map<String, ApiToken> tokens = new LinkedHashMap<>();
    private final Map<String, byte[]> hashes = new HashMap<>();

    private CredentialTokens() {}

    /**
     * Reads them.
     *
     * @param directory CREDENTIALS_DIRECTORY; null for none
     * @throws IOException naming the file that is not such a line
     */
    public static CredentialTokens read(@Nullable Path directory) throws IOException {
        if (directory == null || !Files.isDirectory(directory)) {
            return NONE;
        }
        CredentialTokens credentials = new CredentialTokens();
        for (Path file : files(directory)) {
            credentials.add(file);
        }
        return credentials;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
                    .sorted()
                    .toList();
        }
    }

    private void add(Path file) throws IOException {
        String[] words = Files.readString(file).strip().split(" +", -1);
        Optional<TokenSecret> secret =
                words.length == 3 || words.length == 4 ? TokenSecret.parse(words[2]) : Optional.empty();
        if (secret.isEmpty() || !words[0].matches("[A-Za-z0-9._@-]{1,64}")) {
            throw wrong(file, "is not one line of OWNER ROLE cordon_ID_SECRET, with an end after it or without");
        }
        if (secret.get().secret().length() < SHORTEST_SECRET) {
            throw wrong(file, "has a secret of fewer than " + SHORTEST_SECRET + " characters");
        }
        try {
            Role role = Role.parse(words[1]);
            String note = "from " + file.getFileName().toString().substring(PREFIX.length());
            Instant expires = words.length == 4 ? Instant.parse(words[3]) : null;
            ApiToken token = new ApiToken(secret.get().id(), words[0], role, note, Instant.now(), expires);
            if (tokens.putIfAbsent(token.id(), token) != null) {
                throw wrong(file, "has the id of another file");
            }
            hashes.put(token.id(), secret.get().hash());
        } catch (DateTimeException e) {
            throw wrong(file, "ends at no instant such as 2027-06-30T00:00:00Z");
        } catch (IllegalArgumentException e) {
            throw wrong(file, e.getMessage());
        }
    }

    private static IOException wrong(Path file, @Nullable String what) {
        return new IOException("the credential " + file.getFileName() + " " + what
                + "; write one such as: ci submit cordon_ci_ and 64 random hexadecimal digits");
    }

    /** All of them. */
    public List<ApiToken> list() {
        return List.copyOf(tokens.values());
    }

    /** The token of an id; empty when there is none. */
    public Optional<ApiToken> named(String id) {
        return Optional.ofNullable(tokens.get(id));
    }

    /** The ids of those that are not the same in others: gone, or with another secret, owner, role or end. */
    public Set<String> changedIn(CredentialTokens others) {
        Set<String> changed = new LinkedHashSet<>();
        for (ApiToken token : tokens.values()) {
            ApiToken other = others.tokens.get(token.id());
            boolean same = other != null
                    && other.allowsLike(token)
                    && MessageDigest.isEqual(hashes.get(token.id()), others.hashes.get(token.id()));
            if (!same) {
                changed.add(token.id());
            }
        }
        return changed;
    }

    /** The token that a secret belongs to. */
    public Optional<ApiToken> verify(TokenSecret secret) {
        byte[] hash = hashes.get(secret.id());
        return hash != null && secret.matches(hash) ? Optional.ofNullable(tokens.get(secret.id())) : Optional.empty();
    }
}
