package dev.cordon.server.access;

import dev.cordon.audit.file.Sha256Hex;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * A token as its holder has it: {@code cordon_ID_SECRET}. The id finds the row, the secret has 256 random bits, so that its plain SHA-256
 * is enough: there is nothing to guess that a slow hash would protect.
 *
 * @param id     the public part
 * @param secret the rest
 */
public record TokenSecret(String id, String secret) {
    private static final String PREFIX = "cordon_";
    private static final int ID_BYTES = 9;
    private static final int SECRET_BYTES = 32;
    private static final int MOST = 128;

    /** A new one. */
    public static TokenSecret create() {
        SecureRandom random = new SecureRandom();
        byte[] id = new byte[ID_BYTES];
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(id);
        random.nextBytes(secret);
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return new TokenSecret(
                encoder.encodeToString(id).replace('_', 'A').replace('-', 'B'), encoder.encodeToString(secret));
    }

    /** Reads what a client sent; empty when it is not a token at all. */
    public static Optional<TokenSecret> parse(String text) {
        int end = text.indexOf('_', PREFIX.length());
        if (!text.startsWith(PREFIX) || end <= PREFIX.length() || end == text.length() - 1 || text.length() > MOST) {
            return Optional.empty();
        }
        return Optional.of(new TokenSecret(text.substring(PREFIX.length(), end), text.substring(end + 1)));
    }

    /** What the holder keeps. */
    public String text() {
        return PREFIX + id + "_" + secret;
    }

    /** What the service keeps. */
    public byte[] hash() {
        return Sha256Hex.digest().digest(text().getBytes(StandardCharsets.UTF_8));
    }

    /** Compares in constant time. */
    public boolean matches(byte[] kept) {
        return MessageDigest.isEqual(hash(), kept);
    }

    @Override
    public String toString() {
        return "Secret[" + id + "]";
    }
}
