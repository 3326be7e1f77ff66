package dev.cordon.seccomp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What identifies a profile in caches, results and the audit log: the SHA-256 of its file. */
public final class ProfileHash {
    private ProfileHash() {}

    public static String of(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The hash of a profile that was changed in a way that its file does not show. */
    static String derived(String hash, String change) {
        return of((hash + " " + change).getBytes(StandardCharsets.UTF_8));
    }
}
