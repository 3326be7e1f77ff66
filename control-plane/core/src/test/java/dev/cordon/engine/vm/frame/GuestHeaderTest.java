package dev.cordon.engine.vm.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The numbers of this package are those of cordon_guest.h. */
class GuestHeaderTest {
    private static final Map<String, Long> NUMBERS = new HashMap<>();

    @BeforeAll
    static void readHeader() throws IOException {
        Path header = Path.of(System.getProperty("cordon.root"), "native/include/cordon_guest.h");
        String text = Files.readString(header);
        Matcher number = Pattern.compile("(?:#define\\s+|\\s)([A-Z][A-Z0-9_]+)(?:\\s+=)?\\s+(0x[0-9a-f]+|\\d+)u?\\b")
                .matcher(text);
        while (number.find()) {
            NUMBERS.put(number.group(1), Long.decode(number.group(2)));
        }
    }

    @Test
    void frameTypes() {
        assertThat(FrameType.values())
                .allSatisfy(type -> assertThat(NUMBERS).containsEntry("GUEST_" + type.name(), (long) type.code()));
        long inHeader = NUMBERS.keySet().stream()
                .filter(name -> name.startsWith("GUEST_"))
                .filter(name -> Arrays.stream(FrameType.values()).anyMatch(type -> name.equals("GUEST_" + type.name())))
                .count();
        assertThat(inHeader).isEqualTo(FrameType.values().length);
    }

    @Test
    void attachmentKinds() {
        assertThat(GuestAttachment.Kind.values())
                .allSatisfy(kind -> assertThat(NUMBERS).containsEntry("ATTACH_" + kind.name(), (long) kind.code()));
        assertThat(NUMBERS.keySet().stream().filter(name -> name.startsWith("ATTACH_")))
                .hasSize(GuestAttachment.Kind.values().length);
    }

    @Test
    void limits() {
        Map<String, Integer> ours = Map.ofEntries(
                Map.entry("magic", GuestFrame.MAGIC),
                Map.entry("version", GuestFrame.VERSION),
                Map.entry("max_body", GuestFrame.MAX_BODY),
                Map.entry("chunk", GuestFrame.CHUNK),
                Map.entry("window", GuestFrame.WINDOW),
                Map.entry("max_streams", GuestFrame.MAX_STREAMS),
                Map.entry("max_content", GuestFrame.MAX_CONTENT),
                Map.entry("stream_bit", GuestFrame.STREAM_BIT),
                Map.entry("seed_bytes", GuestFrame.SEED_BYTES),
                Map.entry("name_bytes", GuestFrame.NAME_BYTES),
                Map.entry("text_bytes", GuestFrame.TEXT_BYTES));
        ours.forEach((name, value) -> assertThat(NUMBERS)
                .containsEntry("GUEST_" + name.toUpperCase(Locale.ROOT), Integer.toUnsignedLong(value)));
    }

    @Test
    void counters() {
        assertThat(NUMBERS).containsEntry("USAGE_FIELDS", 12L).containsEntry("USAGE_PIDS_HITS", 11L);
    }
}
