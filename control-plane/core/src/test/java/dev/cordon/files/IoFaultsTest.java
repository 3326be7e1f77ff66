package dev.cordon.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.result.Outcome.Fault;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class IoFaultsTest {
    @Test
    void theJdksTextsAreErrnos() {
        assertThat(IoErrno.of(new FileSystemException("a", null, "Too many open files")))
                .isEqualTo("EMFILE");
        assertThat(IoErrno.of(new FileNotFoundException("a (b) (Too many open files in system)")))
                .isEqualTo("ENFILE");
        assertThat(IoErrno.of(new IOException("Broken pipe"))).isEqualTo("EPIPE");
        assertThat(IoErrno.of(new NoSuchFileException("Broken pipe"))).isEqualTo("ENOENT");
        assertThat(IoErrno.of(new IOException("a file is called Too many open files")))
                .isEmpty();
        assertThat(IoErrno.of(new IOException())).isEmpty();
    }

    @Test
    void descriptorsAreMissedWhereverTheCauseIs() {
        IOException none = new IOException("Too many open files");
        assertThat(IoFaults.of(none)).isEqualTo(Fault.DESCRIPTORS);
        assertThat(IoFaults.of(new IllegalStateException("x", new UncheckedIOException(none))))
                .isEqualTo(Fault.DESCRIPTORS);
        assertThat(IoFaults.of(new IllegalStateException("Too many open files")))
                .isEqualTo(Fault.OTHER);
    }

    @Test
    void aKindOfAnotherVersionIsNone() {
        assertThat(Fault.named("audit_log")).isEqualTo(Fault.AUDIT_LOG);
        assertThat(Fault.named("quota_of_tomorrow")).isEqualTo(Fault.OTHER);
    }
}
