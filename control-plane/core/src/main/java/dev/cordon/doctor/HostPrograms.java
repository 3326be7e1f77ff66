package dev.cordon.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Short-lived programs of the host that answer a question. */
final class HostPrograms {

    private static final int PATIENCE_SECONDS = 10;
    private static final int MOST_BYTES = 4096;

    private HostPrograms() {}

    static boolean succeeds(String... line) {
        return output(line).isPresent();
    }

    /** What a program says, up to a page; empty when it is absent, fails or does not end. */
    static Optional<String> output(String... line) {
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            try {
                process.getOutputStream().close();
                byte[] bytes = process.getInputStream().readNBytes(MOST_BYTES);
                boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
                return ended ? Optional.of(new String(bytes, StandardCharsets.UTF_8)) : Optional.empty();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException absent) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
