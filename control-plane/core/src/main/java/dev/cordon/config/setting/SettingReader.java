package dev.cordon.config.setting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads values by the declarations of their settings, and gathers every error: source, setting, value, rule and remedy. */
public final class SettingReader {
    private final Map<String, SettingValue> written;
    private final TreeSet<String> unread;
    private final List<String> errors = new ArrayList<>();

    /** Reads these values. Those that nobody asks for are unknown. */
    public SettingReader(Map<String, SettingValue> written) {
        this.written = Map.copyOf(written);
        this.unread = new TreeSet<>(written.keySet());
    }

    /** Knows the defaults alone. */
    public static SettingReader ofDefaults() {
        return new SettingReader(Map.of());
    }

    /** The value, or the default of the setting. */
    public <T> T value(Setting<T> setting) {
        T value = written(setting);
        return value == null ? setting.standardValue() : value;
    }

    /** The value, or one that depends on the host. */
    public <T> T value(Setting<T> setting, T otherwise) {
        T value = written(setting);
        return value == null ? otherwise : value;
    }

    /** The value; null when nobody wrote one that is valid. */
    public <T> @Nullable T written(Setting<T> setting) {
        unread.remove(setting.name());
        SettingValue value = written.get(setting.name());
        if (value == null) {
            return null;
        }
        try {
            return setting.type().parse(value.text());
        } catch (IllegalArgumentException e) {
            wrong(setting, String.valueOf(e.getMessage()), setting.remedy());
            return null;
        }
    }

    /** Whether somebody wrote a value. */
    public boolean isWritten(Setting<?> setting) {
        return written.containsKey(setting.name());
    }

    /** Complains about a value. */
    public void wrong(Setting<?> setting, String rule, String remedy) {
        SettingValue value = written.get(setting.name());
        String source = value == null ? "" : value.source() + ": ";
        String text = value == null ? setting.standard() : value.text();
        wrong(source + setting.name() + " = '" + text + "': " + rule + "; " + remedy);
    }

    /** Complains about something else. */
    public void wrong(String message) {
        errors.add(message);
    }

    /** The complaints so far. */
    public List<String> errors() {
        return List.copyOf(errors);
    }

    /** All complaints, also about settings that nobody has asked for. These are the tables that there are. */
    public List<String> errors(List<SettingTable> tables) {
        List<String> all = new ArrayList<>(errors);
        unread.forEach(name -> {
            SettingValue value = written.get(name);
            if (value != null) {
                all.add(SettingTable.unknown(name, value, tables));
            }
        });
        return all;
    }
}
