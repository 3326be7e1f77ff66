package dev.cordon.cli.terminal;

import dev.cordon.result.PreparationListener;
import dev.cordon.vm.layer.BuildProgress;
import java.time.Duration;

/** Says how far a long step is: on a terminal in one line that is written over, elsewhere in a line per step. */
public final class StepLine implements BuildProgress, PreparationListener {
    private static final int WIDTH = 16;
    private static final Duration TICK = Duration.ofSeconds(1);

    private final StandardStreams stdio;
    private long begin;
    private String line = "";
    private boolean shown;

    public StepLine(StandardStreams stdio) {
        this.stdio = stdio;
    }

    @Override
    public synchronized void step(int step, int of, String what) {
        String text = TerminalText.visible(what);
        if (!stdio.errIsTerminal()) {
            stdio.message("%d of %d: %s".formatted(step, of, text));
            return;
        }
        int full = WIDTH * (step - 1) / Math.max(1, of);
        line = "[" + "#".repeat(full) + "-".repeat(WIDTH - full) + "] %d of %d: %.60s".formatted(step, of, text);
        if (!shown) {
            shown = true;
            begin = System.nanoTime();
            Thread.ofVirtual().start(this::tick);
        }
        draw();
    }

    @Override
    public synchronized void end() {
        if (shown) {
            shown = false;
            stdio.show("\r\033[K");
        }
    }

    @Override
    public void ended() {
        end();
    }

    private void tick() {
        while (true) {
            try {
                Thread.sleep(TICK);
            } catch (InterruptedException e) {
                return;
            }
            synchronized (this) {
                if (!shown) {
                    return;
                }
                draw();
            }
        }
    }

    private void draw() {
        long seconds = (System.nanoTime() - begin) / 1_000_000_000;
        stdio.show("\rcordon: " + line + ", " + seconds + " s\033[K");
    }
}
