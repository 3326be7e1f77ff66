package dev.cordon.flow;

import dev.cordon.job.JobId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** New ids: {@code job_} and a ULID, 48 bits of milliseconds and 80 random ones, in Crockford's base 32. */
public final class NewJobIds {
    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int TIME_CHARACTERS = 10;
    private static final int RANDOM_BYTES = 10;

    /** Random bytes for the next ids: to open the generator for each is a part of a warm start that shows. */
    private static final ByteBuffer AHEAD =
            ByteBuffer.allocate(64 * RANDOM_BYTES).limit(0);

    private NewJobIds() {}

    public static JobId next(Instant now) {
        return of(now, random());
    }

    /** The id of a sandbox that stays: {@code box_} and the same. */
    public static JobId nextBox(Instant now) {
        return of("box_", now, random());
    }

    static JobId of(Instant now, byte[] random) {
        return of("job_", now, random);
    }

    private static JobId of(String prefix, Instant now, byte[] random) {
        StringBuilder text = new StringBuilder(prefix);
        long millis = now.toEpochMilli();
        for (int i = TIME_CHARACTERS - 1; i >= 0; i--) {
            text.append(ALPHABET.charAt((int) (millis >>> (5 * i)) & 31));
        }
        long bits = 0;
        int count = 0;
        for (byte piece : random) {
            bits = bits << 8 | (piece & 0xFF);
            count += 8;
            while (count >= 5) {
                count -= 5;
                text.append(ALPHABET.charAt((int) (bits >>> count) & 31));
            }
        }
        return new JobId(text.toString());
    }

    /** Each is used once. */
    private static byte[] random() {
        synchronized (AHEAD) {
            if (!AHEAD.hasRemaining()) {
                AHEAD.clear().put(read(AHEAD.capacity())).flip();
            }
            byte[] next = new byte[RANDOM_BYTES];
            AHEAD.get(next);
            return next;
        }
    }

    /** The kernel's own generator: SecureRandom would load a provider first, which the command line pays for at every start. */
    private static byte[] read(int count) {
        try (InputStream urandom = Files.newInputStream(Path.of("/dev/urandom"))) {
            return urandom.readNBytes(count);
        } catch (IOException e) {
            throw new IllegalStateException("/dev/urandom cannot be read; Cordon needs it for ids", e);
        }
    }
}
