package dev.cordon.config;

import dev.cordon.api.DurationFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the settings of virtual machines out of those that are left. */
final class VmReader {
    private final Map<String, Setting> left;
    private final List<String> errors;

    VmReader(Map<String, Setting> left, List<String> errors) {
        this.left = left;
        this.errors = errors;
    }

    VmSettings read(Path images) {
        VmSettings standard = VmSettings.standard(images);
        return new VmSettings(
                parsed("vm.allow-emulated", standard.allowEmulated(), "true or false", VmReader::truth),
                parsed("vm.accel", standard.accel(), "auto, kvm or tcg", VmReader::accel),
                parsed("vm.boot-timeout", standard.bootTimeout(), "a duration from 1s to 1h", VmReader::timeout),
                parsed("vm.templates", standard.templates(), "per-owner, shared or off", VmReader::templates),
                parsed("vm.pool", standard.pool(), "a number from 0 to " + VmSettings.MOST_POOL, VmReader::pool),
                parsed("vm.images", standard.images(), "an absolute path", VmReader::path));
    }

    /** Reads a text, or throws IllegalArgumentException. */
    private interface Parser<T> {
        T parse(String text);
    }

    private <T> T parsed(String key, T otherwise, String wanted, Parser<T> parser) {
        Setting setting = left.remove(key);
        if (setting == null) {
            return otherwise;
        }
        try {
            return parser.parse(setting.text());
        } catch (IllegalArgumentException e) {
            errors.add(setting.source() + ": " + key + " = '" + setting.text() + "' cannot stand; give " + wanted);
            return otherwise;
        }
    }

    private static Boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static VmSettings.Accel accel(String text) {
        return VmSettings.Accel.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static VmSettings.Templates templates(String text) {
        return switch (text) {
            case "per-owner" -> VmSettings.Templates.PER_OWNER;
            case "shared" -> VmSettings.Templates.SHARED;
            case "off" -> VmSettings.Templates.OFF;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static Duration timeout(String text) {
        return VmSettings.checkBoot(DurationFormat.parse(text));
    }

    private static Integer pool(String text) {
        return VmSettings.checkPool(Integer.parseInt(text));
    }

    private static Path path(String text) {
        if (!text.startsWith("/") || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(text);
        }
        return Path.of(text).normalize();
    }
}
