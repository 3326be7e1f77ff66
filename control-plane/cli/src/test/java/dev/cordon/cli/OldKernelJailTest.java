package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** C-03: where the kernel has no openat2, what would be opened in a weaker way is not opened, and no job runs. */
@Tag("jail")
class OldKernelJailTest {
    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    void withoutOpenat2JobsAreRefused() throws Exception {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("cordon.test.probes", ""), "without_openat2")
                .toString());
        line.addAll(CordonProcess.of("run", "--", "echo", "canary").command());
        Process process = new ProcessBuilder(line).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(err).isEqualTo(125);
        assertThat(out).isEmpty();
        assertThat(err).contains("ENOSYS");
    }
}
