package dev.cordon.cli.terminal;

import dev.cordon.result.PreparationListener;
import org.jspecify.annotations.Nullable;

/** Shows what is prepared before a first job, and nothing when nothing has to be. */
public final class PreparationLine implements PreparationListener {
    private final Stdio stdio;
    private @Nullable StepLine line;

    public PreparationLine(Stdio stdio) {
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
