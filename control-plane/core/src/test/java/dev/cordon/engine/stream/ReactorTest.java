package dev.cordon.engine.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.OpenFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReactorTest {
    private final Kernel kernel = NativeParts.load().kernel();

    @Test
    void aDescriptorThatWasClosedBeforeIsForgotten() throws Exception {
        try (Reactor reactor = new Reactor(kernel)) {
            Pipe pipe = kernel.pipe();
            Reactor.Registration registration = reactor.register(pipe.source(), PollSet.READABLE, happened -> {});
            assertThat(reactor.registered()).isOne();
            pipe.close();
            assertThatNoException().isThrownBy(registration::remove);
            assertThat(reactor.registered()).isZero();
        }
    }

    @Test
    void whatCannotBeWaitedForLeavesNothing(@TempDir Path directory) throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        try (Reactor reactor = new Reactor(kernel);
                Fd fd = kernel.open(file, Set.of(OpenFlag.READ), 0)) {
            assertThatExceptionOfType(ErrnoException.class)
                    .isThrownBy(() -> reactor.register(fd, PollSet.READABLE, happened -> {}))
                    .satisfies(e -> assertThat(e.errnoName()).isEqualTo("EPERM"));
            assertThat(reactor.registered()).isZero();
        }
    }
}
