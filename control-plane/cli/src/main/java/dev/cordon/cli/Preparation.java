package dev.cordon.cli;

import dev.cordon.api.PreparationListener;
import org.jspecify.annotations.Nullable;

/** Shows what is prepared before a first job, and nothing when nothing has to be. */
final class Preparation implements PreparationListener {
    private final Stdio stdio;
    private @Nullable StepLine line;

    Preparation(Stdio stdio) {
        this.stdio = stdio;
    }

    @Override
    public synchronized void step(int step, int of, String what) {
        if (line == null) {
            line = new StepLine(stdio);
        }
        line.step(step, of, what);
    }

    @Override
    public synchronized void ended() {
        if (line != null) {
            line.end();
        }
    }
}
