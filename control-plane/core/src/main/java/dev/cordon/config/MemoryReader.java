package dev.cordon.config;

import dev.cordon.api.ByteSize;
import dev.cordon.api.DurationFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads the {@code memory.} keys. */
final class MemoryReader {
    private final Map<String, Setting> left;
    private final List<String> errors;

    MemoryReader(Map<String, Setting> left, List<String> errors) {
        this.left = left;
        this.errors = errors;
    }

    MemorySettings read() {
        MemorySettings usual = MemorySettings.STANDARD;
        ByteSize reserve = left.containsKey("memory.reserve")
                ? value("memory.reserve", ByteSize.bytes(0), ByteSize::parse, "give a size such as 2G")
                : usual.reserve();
        double overcommit = value(
                "memory.overcommit",
                usual.overcommit(),
                text -> within(text, MemorySettings.MOST_OVERCOMMIT),
                "give a factor such as 1.5; 1 never promises more than there is");
        double share = value(
                "memory.share",
                usual.share(),
                text -> within(text, 1),
                "give the part of the budget that one owner may have, such as 0.5");
        var patience = value(
                "memory.patience",
                usual.patience(),
                DurationFormat::parse,
                "give how long a job waits for memory, such as 60s");
        return new MemorySettings(reserve, overcommit, share, patience);
    }

    private static double within(String text, double most) {
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a number", e);
        }
        if (!(number > 0 && number <= most)) {
            throw new IllegalArgumentException("is not above 0 and at most " + (long) most);
        }
        return number;
    }

    private <T> T value(String key, T otherwise, Function<String, T> read, String remedy) {
        Setting setting = left.remove(key);
        if (setting == null) {
            return otherwise;
        }
        try {
            return read.apply(setting.text());
        } catch (IllegalArgumentException e) {
            errors.add(
                    setting.source() + ": " + key + " = '" + setting.text() + "': " + e.getMessage() + "; " + remedy);
            return otherwise;
        }
    }
}
