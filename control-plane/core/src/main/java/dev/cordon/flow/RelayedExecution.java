package dev.cordon.flow;

import dev.cordon.engine.Execution;
import dev.cordon.job.Terminal;
import dev.cordon.result.UsageSample;
import java.io.InputStream;
import java.io.OutputStream;

/** An execution that lasts longer than the one that runs the program, and passes on to that what is asked of it meanwhile. */
abstract class RelayedExecution implements Execution {
    /** The one that runs the program now. */
    abstract Execution current();

    @Override
    public void cancel() {
        current().cancel();
    }

    @Override
    public void signal(int signal) {
        current().signal(signal);
    }

    @Override
    public void resize(Terminal size) {
        current().resize(size);
    }

    @Override
    public OutputStream stdin() {
        return current().stdin();
    }

    @Override
    public InputStream stdout() {
        return current().stdout();
    }

    @Override
    public InputStream stderr() {
        return current().stderr();
    }

    @Override
    public UsageSample sample() {
        return current().sample();
    }
}
