package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingReader;
import dev.cordon.config.setting.SettingType;

/**
 * Consecutive host ids.
 *
 * @param base  the first, never 0
 * @param count how many, at least 1
 */
public record IdRange(long base, long count) {
    static final Setting<Long> BASE = new Setting<>(
            "ids.base", SettingType.number(), "2100000000", "As root: the first host id that sandboxes get.");
    static final Setting<Long> COUNT =
            new Setting<>("ids.count", SettingType.number(), "65536", "As root: how many host ids there are.");

    /** (uid_t) -1 means "no change" to the kernel; the last id stays below it. */
    private static final long END = 0xFFFF_FFFFL;

    /** Checks that no id is 0 or beyond the kernel's last. */
    public IdRange {
        if (base < 1 || count < 1 || base >= END || count > END - base) {
            throw new IllegalArgumentException(
                    "ids from " + base + ", " + count + " of them, are not all between 1 and " + (END - 1));
        }
    }

    /**
     * Reads the host ids of sandboxes. The default is above what useradd hands out as subordinate ids on Debian (100000 to 600100000), what
     * systemd allocates to containers (524288 to 1879048191) and SSSD maps directory users to (200000 to 2000200000); below systemd's
     * foreign ids (2147352576) and 2^31, where tools with signed ids go wrong.
     */
    static IdRange of(SettingReader reader) {
        long base = reader.value(BASE);
        long count = reader.value(COUNT);
        try {
            return new IdRange(base, count);
        } catch (IllegalArgumentException e) {
            reader.wrong(
                    "ids: " + e.getMessage() + "; choose ids.base and ids.count where no other program allocates ids");
            return new IdRange(BASE.standardValue(), COUNT.standardValue());
        }
    }
}
