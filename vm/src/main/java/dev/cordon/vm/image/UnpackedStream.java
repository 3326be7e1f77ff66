package dev.cordon.vm.image;

import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.ImageProblem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

/**
 * A stream that was written to a file, unpacked when it was packed.
 *
 * @param packed   the SHA-256 of the stream as it came
 * @param unpacked the SHA-256 of the file
 */
record UnpackedStream(String packed, String unpacked) {
    /** No image that anybody wants is larger; a bomb is. */
    private static final long MOST = 32L << 30;

    static UnpackedStream write(InputStream stream, Path file) throws IOException {
        DigestInputStream source = new DigestInputStream(stream, ContentHash.newDigest());
        BufferedInputStream buffered = new BufferedInputStream(source, 1 << 20);
        try (DigestOutputStream target = new DigestOutputStream(Files.newOutputStream(file), ContentHash.newDigest())) {
            copy(plain(buffered), target);
            // What follows the packed data belongs to the stream's hash too.
            copy(buffered, OutputStream.nullOutputStream());
            return new UnpackedStream(
                    HexFormat.of().formatHex(source.getMessageDigest().digest()),
                    HexFormat.of().formatHex(target.getMessageDigest().digest()));
        }
    }

    private static InputStream plain(BufferedInputStream stream) throws IOException {
        stream.mark(4);
        byte[] magic = stream.readNBytes(4);
        stream.reset();
        if (magic.length >= 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b) {
            return new GZIPInputStream(stream, 64 << 10);
        }
        if (magic.length == 4 && (magic[0] & 0xff) == 0x28 && (magic[1] & 0xff) == 0xb5 && (magic[2] & 0xff) == 0x2f) {
            throw new ImageProblem(
                    "the archive, or a layer of it, is packed with zstd", "pack it with gzip, or not at all");
        }
        if (magic.length == 4 && (magic[0] & 0xff) == 0xfd && magic[1] == '7' && magic[2] == 'z') {
            throw new ImageProblem("the archive is packed with xz", "unpack it first: unxz FILE");
        }
        return stream;
    }

    private static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[256 << 10];
        long total = 0;
        for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
            total += count;
            if (total > MOST) {
                throw new ImageProblem(
                        "the archive unpacks to more than " + (MOST >> 30) + " GiB", "use a smaller image");
            }
            to.write(buffer, 0, count);
        }
    }
}
