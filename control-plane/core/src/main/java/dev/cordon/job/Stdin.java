package dev.cordon.job;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;

/** Where a job's standard input comes from. */
public sealed interface Stdin {
    /** Nothing: /dev/null. */
    record Empty() implements Stdin {}

    /**
     * These bytes, then the end.
     *
     * @param content the bytes; copied in and out
     */
    @SuppressWarnings("ArrayRecordComponent") // copied, and compared by content
    record Bytes(byte[] content) implements Stdin {
        /** Copies the bytes. */
        public Bytes {
            content = content.clone();
        }

        @Override
        public byte[] content() {
            return content.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(content);
        }

        @Override
        public String toString() {
            return "Bytes[" + content.length + "]";
        }
    }

    /**
     * A stream that Cordon reads until its end, or until the job is over. The caller closes it.
     *
     * @param stream the stream
     */
    record Stream(InputStream stream) implements Stdin {}

    /** What the caller writes to the running job's standard input, until it is closed there. */
    record Fed() implements Stdin {}

    /** The caller writes it while the job runs. */
    static Stdin fed() {
        return new Fed();
    }

    /**
     * A regular host file, opened for reading.
     *
     * @param file the file on the host
     */
    record FromFile(Path file) implements Stdin {}
}
