package dev.cordon.vm;

import java.time.Duration;

/**
 * How machines are had.
 *
 * @param choice   which accelerator may be used
 * @param boot     how long a boot may take before it is given up; each is tried twice
 * @param restore  how long a restore may take
 * @param templates whether machines are restored from templates, or each boots from its kernel on
 * @param poolSize how many restored machines wait for whoever asks next, over all shapes
 */
public record MachineSettings(Choice choice, Duration boot, Duration restore, boolean templates, int poolSize) {
    /** Which accelerator may be used. */
    public enum Choice {
        /** KVM when it was proven to boot a guest, emulation otherwise. */
        AUTO,
        /** KVM or nothing. */
        KVM,
        /** Emulation. */
        TCG
    }

    /** Checks the amounts. */
    public MachineSettings {
        if (boot.isNegative() || boot.isZero() || restore.isNegative() || restore.isZero()) {
            throw new IllegalArgumentException("a deadline for boots and restores is positive");
        }
        if (poolSize < 0 || poolSize > 256) {
            throw new IllegalArgumentException("a pool has between 0 and 256 machines, not " + poolSize);
        }
    }

    /** For a host of which nothing is known: the deadlines are what a loaded one needs under emulation. */
    public static MachineSettings standard() {
        return new MachineSettings(Choice.AUTO, Duration.ofSeconds(90), Duration.ofSeconds(30), true, 0);
    }
}
