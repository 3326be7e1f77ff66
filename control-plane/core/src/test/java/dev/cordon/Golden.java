package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts that were read by a person once and must not change by accident. With CORDON_GOLDEN_WRITE=1 the tests write them instead; read
 * the difference before committing it.
 */
public final class Golden {
    private Golden() {}

    /** Compares with the file of this name below {@code src/test/resources/dev/cordon}. */
    public static void check(String name, String actual) {
        if (System.getenv("CORDON_GOLDEN_WRITE") != null) {
            write(name, actual);
        }
        assertThat(actual).as("golden file " + name).isEqualTo(read(name));
    }

    private static String read(String name) {
        try (InputStream file = Golden.class.getResourceAsStream("/dev/cordon/" + name)) {
            return file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(String name, String actual) {
        Path resources =
                Path.of(System.getProperty("cordon.root", "."), "control-plane/core/src/test/resources/dev/cordon");
        try {
            Files.writeString(resources.resolve(name), actual);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
