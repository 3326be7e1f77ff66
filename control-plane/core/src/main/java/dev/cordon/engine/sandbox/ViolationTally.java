package dev.cordon.engine.sandbox;

import dev.cordon.bindings.wire.reply.ViolationNote;
import dev.cordon.result.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The refused system calls of one job, counted by call and process. Bounded, whatever the job does. Safe for use by many threads. */
final class ViolationTally {
    private record Key(int syscall, int pid) {}

    /** Different calls and processes that are told apart. */
    private static final int MOST = 64;

    private final IntFunction<String> names;
    private final Map<Key, Violation> seen = new LinkedHashMap<>();
    private String deadly = "";

    ViolationTally(IntFunction<String> names) {
        this.names = names;
    }

    synchronized void add(ViolationNote note) {
        Key key = new Key(note.syscall(), note.pid());
        Violation before = seen.get(key);
        if (before == null && seen.size() >= MOST) {
            return;
        }
        String name = names.apply(note.syscall());
        long count = before == null ? 1 : before.count() + 1;
        seen.put(key, new Violation(name, note.pid(), note.comm(), count, note.killed()));
        if (note.killed()) {
            deadly = name;
        }
    }

    /** The call that the job was killed for, or empty. */
    synchronized String deadly() {
        return deadly;
    }

    synchronized List<Violation> list() {
        return new ArrayList<>(seen.values());
    }
}
