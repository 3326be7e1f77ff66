package dev.cordon.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** runc, with a container of its own for each run. */
final class RuncContender implements Contender {
    private final Path program;
    private final Path bundle;
    private final AtomicLong number = new AtomicLong();

    RuncContender(Path program, Path bundle) {
        this.program = program;
        this.bundle = bundle;
    }

    @Override
    public String name() {
        return "runc";
    }

    @Override
    public void run() throws IOException, InterruptedException {
        String id = "cordon-bench-" + ProcessHandle.current().pid() + "-" + number.incrementAndGet();
        new ProgramContender(name(), List.of(program.toString(), "run", "--bundle", bundle.toString(), id)).run();
    }
}
