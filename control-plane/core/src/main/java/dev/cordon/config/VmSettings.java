package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingReader;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How virtual machines are had.
 *
 * @param allowEmulated whether a machine may run where the processor does not execute it: compatible, but no hardware boundary
 * @param accel         which accelerator may be used
 * @param bootTimeout   how long a guest may take to come up
 * @param templates     which machines are restored from one template
 * @param pool          how many restored machines wait for whoever asks next
 * @param images        the directory of the user's image descriptions
 */
public record VmSettings(
        boolean allowEmulated, Accel accel, Duration bootTimeout, Templates templates, int pool, Path images) {
    static final Setting<Boolean> ALLOW_EMULATED = new Setting<>(
            "vm.allow_emulated",
            SettingType.TRUTH,
            "false",
            "Whether a machine may run where the processor does not execute it: compatible, but no boundary of"
                    + " hardware.");
    static final Setting<Accel> ACCEL =
            new Setting<>("vm.accel", SettingType.choice(Accel.values()), "auto", "Which accelerator may be used.");
    /** The default is for emulation on a loaded host. */
    static final Setting<Duration> BOOT_TIMEOUT = new Setting<>(
            "vm.boot_timeout",
            SettingType.DURATION.where(
                    time -> time.compareTo(Duration.ofSeconds(1)) >= 0 && time.compareTo(Duration.ofHours(1)) <= 0,
                    "is not between 1s and 1h"),
            "90s",
            "How long a guest may take to come up, from 1s to 1h.");

    static final Setting<Templates> TEMPLATES = new Setting<>(
            "vm.templates",
            SettingType.choice(Templates.values()),
            "per-owner",
            "Which machines are restored from one template: those of one owner, or all, who then share the layout"
                    + " of the kernel's memory. off boots each.");
    static final Setting<Integer> POOL = new Setting<>(
            "vm.pool",
            SettingType.count(0, 256),
            "0",
            "Restored machines that wait for whoever asks next, at most 256.");
    static final Setting<Path> IMAGES = new Setting<>(
            "vm.images",
            SettingType.PATH,
            "",
            "The operator's image descriptions: images beside the configuration, found as policy.file is.");
    static final SettingTable TABLE = new SettingTable(
            "vm", "Virtual machines.", List.of(ALLOW_EMULATED, ACCEL, BOOT_TIMEOUT, TEMPLATES, POOL, IMAGES));

    /** Which accelerator may be used. */
    public enum Accel {
        /** KVM when a probe guest has booted under it, emulation otherwise. */
        AUTO,
        /** KVM or nothing. */
        KVM,
        /** Emulation. */
        TCG
    }

    /** Which machines are restored from one template, and so have one layout of the kernel's memory. */
    public enum Templates {
        /** Those of one owner. */
        PER_OWNER,
        /** All of one shape. */
        SHARED,
        /** None: each boots from its kernel on. */
        OFF
    }

    /** Checks the amounts. */
    public VmSettings {
        BOOT_TIMEOUT.check(bootTimeout);
        POOL.check(pool);
    }

    /** These settings with machines that boot, or a pool. */
    public VmSettings with(boolean restored, int waiting) {
        Templates usual = templates == Templates.OFF ? Templates.PER_OWNER : templates;
        return new VmSettings(allowEmulated, accel, bootTimeout, restored ? usual : Templates.OFF, waiting, images);
    }

    /** What holds when nothing is set. */
    public static VmSettings standard(Path images) {
        return of(SettingReader.ofDefaults(), images);
    }

    static VmSettings of(SettingReader reader, Path images) {
        return new VmSettings(
                reader.value(ALLOW_EMULATED),
                reader.value(ACCEL),
                reader.value(BOOT_TIMEOUT),
                reader.value(TEMPLATES),
                reader.value(POOL),
                reader.value(IMAGES, images));
    }
}
