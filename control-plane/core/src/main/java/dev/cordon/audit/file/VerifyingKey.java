package dev.cordon.audit.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * The public half of a {@link SigningKey}.
 *
 * @param id  its name: the beginning of its SHA-256
 * @param key the key
 */
public record VerifyingKey(String id, PublicKey key) {
    static final String ALGORITHM = "Ed25519";
    static final String PUBLIC = "PUBLIC KEY";
    private static final int ID_DIGITS = 16;

    static VerifyingKey of(PublicKey key) {
        return new VerifyingKey(Sha256Hex.of(key.getEncoded()).substring(0, ID_DIGITS), key);
    }

    /**
     * Reads one as OpenSSL writes it (PEM).
     *
     * @throws IOException naming the file and what is wrong with it
     */
    public static VerifyingKey read(Path file) throws IOException {
        try {
            return of(KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(decoded(file, PUBLIC))));
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": is not a public key of Ed25519; give the file .pub that keygen made", e);
        }
    }

    static byte[] decoded(Path file, String what) throws IOException, GeneralSecurityException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        String begin = "-----BEGIN " + what + "-----";
        int start = text.indexOf(begin);
        int end = text.indexOf("-----END " + what + "-----");
        if (start < 0 || end < start) {
            throw new GeneralSecurityException("no " + what);
        }
        try {
            return Base64.getMimeDecoder().decode(text.substring(start + begin.length(), end));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("no " + what, e);
        }
    }

    /** What is signed. */
    static byte[] statement(long sequence, String hash) {
        return ("cordon audit head 1\n" + sequence + ":" + hash + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether its owner vouched for every record up to that one. */
    public boolean vouches(long sequence, String hash, String signature) {
        try {
            Signature check = Signature.getInstance(ALGORITHM);
            check.initVerify(key);
            check.update(statement(sequence, hash));
            return check.verify(Base64.getDecoder().decode(signature));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }
}
