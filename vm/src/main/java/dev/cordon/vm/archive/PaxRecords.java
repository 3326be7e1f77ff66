package dev.cordon.vm.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the extended headers before a member say of it, as far as that counts here. Values are bytes. */
final class PaxRecords {
    static final String PATH = "path";
    static final String LINK = "linkpath";
    static final String SIZE = "size";
    static final String UID = "uid";
    static final String GID = "gid";
    static final String TIME = "mtime";

    private static final Set<String> KNOWN = Set.of(PATH, LINK, SIZE, UID, GID, TIME);
    private static final String SPARSE = "GNU.sparse";
    private static final int MOST_DIGITS = 18;

    private final TarReader.Objection objection;
    private final Map<String, byte[]> defaults;
    private final Map<String, byte[]> values = new HashMap<>();
    private boolean sparse;

    private PaxRecords(TarReader.Objection objection, Map<String, byte[]> defaults) {
        this.objection = objection;
        this.defaults = defaults;
    }

    /** Those of all members. */
    static PaxRecords global(TarReader.Objection objection) {
        return new PaxRecords(objection, Map.of());
    }

    /** Those of one member; where they say nothing, these here count, also what is added to them later. */
    PaxRecords ofMember() {
        return new PaxRecords(objection, values);
    }

    /** A name that GNU's headers have in full. */
    void put(String key, byte[] name) {
        int end = 0;
        while (end < name.length && name[end] != 0) {
            end++;
        }
        values.put(key, Arrays.copyOf(name, end));
    }

    /** Reads "LENGTH KEY=VALUE\n", again and again. */
    void add(byte[] content) throws IOException {
        int at = 0;
        while (at < content.length && content[at] != 0) {
            int blank = find(content, at, ' ');
            long length = digits(content, at, blank);
            if (length < 5 || length > content.length - at || content[at + (int) length - 1] != '\n') {
                throw malformed();
            }
            int end = at + (int) length;
            int equals = find(content, blank, '=');
            if (equals >= end || equals == blank + 1) {
                throw malformed();
            }
            String key = new String(content, blank + 1, equals - blank - 1, StandardCharsets.UTF_8);
            sparse |= key.startsWith(SPARSE);
            if (KNOWN.contains(key)) {
                values.put(key, Arrays.copyOfRange(content, equals + 1, end - 1));
            }
            at = end;
        }
    }

    /** Records for all members may say who made them, not what they are. */
    void requireHarmless() throws IOException {
        if (sparse || values.containsKey(PATH) || values.containsKey(LINK) || values.containsKey(SIZE)) {
            throw objection.to("", "has a global header that changes paths, links or sizes", "make it anew");
        }
    }

    boolean sparse() {
        return sparse;
    }

    byte @Nullable [] bytes(String key) {
        byte[] value = values.get(key);
        return value == null ? defaults.get(key) : value;
    }

    /** A whole number that is not negative. */
    long number(String key, long otherwise) throws IOException {
        byte[] value = bytes(key);
        return value == null ? otherwise : digits(value, 0, value.length);
    }

    /** Seconds, of which a fraction is dropped; may be before 1970. */
    long seconds(long otherwise) throws IOException {
        byte[] value = bytes(TIME);
        if (value == null) {
            return otherwise;
        }
        int begin = value.length > 0 && value[0] == '-' ? 1 : 0;
        int end = begin;
        while (end < value.length && value[end] != '.') {
            end++;
        }
        long seconds = digits(value, begin, end);
        return begin == 0 ? seconds : -seconds;
    }

    private int find(byte[] content, int from, char wanted) throws IOException {
        for (int i = from; i < content.length; i++) {
            if (content[i] == wanted) {
                return i;
            }
        }
        throw malformed();
    }

    private long digits(byte[] content, int from, int to) throws IOException {
        if (to <= from || to - from > MOST_DIGITS) {
            throw malformed();
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            if (content[i] < '0' || content[i] > '9') {
                throw malformed();
            }
            value = value * 10 + (content[i] - '0');
        }
        return value;
    }

    private IOException malformed() {
        return objection.to("", "has a malformed pax header", "make it anew");
    }
}
