package dev.cordon.engine.stream;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Streams of ended commands that are still read, because a process which a command left writes to them: it shall not die of a broken
 * pipe. All on the reactor's thread.
 */
public final class LeftoverStreams {
    private static final int MOST = 64;

    private final Deque<OutputReader> readers = new ArrayDeque<>();

    /** Keeps reading, and gives the oldest up when there are too many. */
    public void keep(OutputReader stray) {
        readers.removeIf(OutputReader::done);
        readers.add(stray);
        if (readers.size() > MOST) {
            readers.remove().abandon();
        }
    }

    /** Stops reading all of them. */
    public void abandon() {
        readers.forEach(OutputReader::abandon);
        readers.clear();
    }
}
