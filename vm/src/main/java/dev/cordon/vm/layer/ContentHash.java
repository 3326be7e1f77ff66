package dev.cordon.vm.layer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** SHA-256 of inputs and of files. */
public final class ContentHash {
    private static final int BUFFER = 256 << 10;

    private final MessageDigest digest = newDigest();

    /** Adds a text, so that two lists of texts never hash alike. */
    public ContentHash add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds bytes, likewise. */
    public ContentHash add(byte[] bytes) {
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
        return this;
    }

    /** The hash in hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The hash of a file's content. */
    public static String ofFile(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return of(stream);
        }
    }

    /** The hash of all that comes. */
    public static String of(InputStream stream) throws IOException {
        MessageDigest digest = newDigest();
        byte[] buffer = new byte[BUFFER];
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
            digest.update(buffer, 0, count);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Another hash of a file's content: blocks of zeros count as such, because most of a machine's memory is nothing else. */
    public static String ofSparseFile(Path file) throws IOException {
        MessageDigest digest = newDigest();
        byte[] buffer = new byte[BUFFER];
        byte[] zeros = new byte[BUFFER];
        try (InputStream stream = Files.newInputStream(file)) {
            for (int count = stream.readNBytes(buffer, 0, BUFFER);
                    count > 0;
                    count = stream.readNBytes(buffer, 0, BUFFER)) {
                boolean empty = Arrays.equals(buffer, 0, count, zeros, 0, count);
                digest.update((count + (empty ? ":zeros" : ":")).getBytes(StandardCharsets.US_ASCII));
                digest.update(buffer, 0, empty ? 0 : count);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
