package dev.cordon.server;

import dev.cordon.fixture.UserNamespaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A test of a service that is a process of its own, with one owner who calls it. */
@ExtendWith(ServiceLogs.class)
abstract class ServedTest {
    @TempDir
    Path directory;

    ServeState state;
    ServeProcess service;
    ServiceCalls calls;

    @BeforeAll
    static void needsUserNamespaces() {
        UserNamespaces.assumeAvailable();
    }

    @BeforeEach
    void prepare() throws Exception {
        state = ServeState.in(directory);
        start();
    }

    final void start() throws Exception {
        service = state.serve();
        calls = new ServiceCalls(service.port(), state.token());
    }

    @AfterEach
    void stop() {
        calls.close();
        service.close();
    }

    /** The processes from one of a job's up to the service: the last is the supervisor, the one before it the sandbox's init. */
    List<ProcessHandle> above(ProcessHandle process) {
        List<ProcessHandle> line = new ArrayList<>();
        for (ProcessHandle next = process;
                !next.equals(service.handle());
                next = next.parent().orElseThrow()) {
            line.add(next);
        }
        return line;
    }
}
