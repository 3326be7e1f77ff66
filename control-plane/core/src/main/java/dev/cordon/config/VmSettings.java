package dev.cordon.config;

import java.nio.file.Path;
import java.time.Duration;

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
    /** Under emulation, on a loaded host. */
    static final Duration BOOT_TIMEOUT = Duration.ofSeconds(90);

    static final int MOST_POOL = 256;
    private static final Duration LONGEST_BOOT = Duration.ofHours(1);

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
        checkBoot(bootTimeout);
        checkPool(pool);
    }

    /** The same settings with machines that boot, or a pool. */
    public VmSettings with(boolean restored, int waiting) {
        Templates usual = templates == Templates.OFF ? Templates.PER_OWNER : templates;
        return new VmSettings(allowEmulated, accel, bootTimeout, restored ? usual : Templates.OFF, waiting, images);
    }

    static Duration checkBoot(Duration timeout) {
        if (timeout.compareTo(Duration.ofSeconds(1)) < 0 || timeout.compareTo(LONGEST_BOOT) > 0) {
            throw new IllegalArgumentException("the boot timeout is between 1 s and 1 h, not " + timeout);
        }
        return timeout;
    }

    static int checkPool(int pool) {
        if (pool < 0 || pool > MOST_POOL) {
            throw new IllegalArgumentException("a pool has between 0 and " + MOST_POOL + " machines, not " + pool);
        }
        return pool;
    }

    /** What holds when nothing is set. */
    public static VmSettings standard(Path images) {
        return new VmSettings(false, Accel.AUTO, BOOT_TIMEOUT, Templates.PER_OWNER, 0, images);
    }
}
