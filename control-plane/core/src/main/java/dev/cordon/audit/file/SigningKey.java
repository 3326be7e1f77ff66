package dev.cordon.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Set;

/**
 * The Ed25519 key that vouches for the log. In a file as OpenSSL writes it (PKCS#8, PEM), which nobody but its owner may read: whoever has
 * it can sign another log. A credential is root's, and systemd lets the service's user read it by an access list (systemd.exec(5)), whose
 * mask stands where the group's rights are: such a file has 0440 though no group may read it.
 */
public final class SigningKey {
    private static final int RIGHTS = 0777;
    private static final int OF_FILE = 0600;
    private static final int OF_CREDENTIAL = 0440;
    private static final String PRIVATE = "PRIVATE KEY";

    private final PrivateKey key;
    private final String id;

    private SigningKey(PrivateKey key, String id) {
        this.key = key;
        this.id = id;
    }

    /**
     * Reads one.
     *
     * @throws IOException naming the file and what is wrong with it
     */
    public static SigningKey read(Path file) throws IOException {
        return read(file, Path.of(System.getenv().getOrDefault("CREDENTIALS_DIRECTORY", "")));
    }

    /** Finds the key; {@code credentials} is where systemd puts those of this service, empty for none. */
    public static SigningKey read(Path file, Path credentials) throws IOException {
        try {
            boolean credential = credentials.isAbsolute() && credentials.equals(file.getParent());
            if (!(Files.getAttribute(file, "unix:mode") instanceof Integer mode)
                    || ((mode & RIGHTS & ~OF_FILE) != 0 && !(credential && (mode & RIGHTS & ~OF_CREDENTIAL) == 0))) {
                throw new IOException(file + ": others than its owner may read or change it; chmod 600 it");
            }
            PrivateKey key = KeyFactory.getInstance(VerifyingKey.ALGORITHM)
                    .generatePrivate(new PKCS8EncodedKeySpec(VerifyingKey.decoded(file, PRIVATE)));
            return new SigningKey(key, VerifyingKey.of(publicOf(key)).id());
        } catch (FileSystemException e) {
            throw new IOException(file + ": cannot be read; name the file of audit.signing_key that keygen made", e);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": is not an Ed25519 key; cordon audit keygen makes one", e);
        }
    }

    /**
     * Makes a pair: the private key in that file, the public one beside it. Neither may be there.
     *
     * @return the file of the public key
     */
    public static Path generate(Path file) throws IOException {
        Path shown = file.resolveSibling(file.getFileName() + ".pub");
        if (Files.exists(shown)) {
            throw new IOException(shown + ": is there already; name another file");
        }
        try {
            KeyPair pair = KeyPairGenerator.getInstance(VerifyingKey.ALGORITHM).generateKeyPair();
            write(file, PRIVATE, pair.getPrivate().getEncoded(), "rw-------");
            write(shown, VerifyingKey.PUBLIC, pair.getPublic().getEncoded(), "rw-r--r--");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has Ed25519", e);
        }
        return shown;
    }

    private static void write(Path file, String what, byte[] key, String rights) throws IOException {
        String text = "-----BEGIN " + what + "-----\n" + Base64.getEncoder().encodeToString(key) + "\n-----END " + what
                + "-----\n";
        try (var channel = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights)))) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    /** The generator makes the public key of the random bytes that it is given; the JDK has no other way from one to the other. */
    @SuppressWarnings("serial") // never written
    private static PublicKey publicOf(PrivateKey key) throws GeneralSecurityException {
        if (!(key instanceof EdECPrivateKey edwards) || edwards.getBytes().isEmpty()) {
            throw new GeneralSecurityException("no key of an Edwards curve");
        }
        byte[] seed = edwards.getBytes().get();
        KeyPairGenerator generator = KeyPairGenerator.getInstance(VerifyingKey.ALGORITHM);
        generator.initialize(NamedParameterSpec.ED25519, new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                System.arraycopy(seed, 0, bytes, 0, bytes.length);
            }
        });
        return generator.generateKeyPair().getPublic();
    }

    /** The name of its public half. */
    public String id() {
        return id;
    }

    /** Vouches for every record up to that one. */
    public String sign(long sequence, String hash) {
        try {
            Signature signature = Signature.getInstance(VerifyingKey.ALGORITHM);
            signature.initSign(key);
            signature.update(VerifyingKey.statement(sequence, hash));
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key that was read cannot sign", e);
        }
    }
}
