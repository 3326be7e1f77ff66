package dev.cordon.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a sandbox is, beside its limits.
 *
 * @param profile   the seccomp profile
 * @param mounts    host files and directories that are shown
 * @param isolation the level asked for; null leaves it to the policy
 * @param atMost    the highest level that the caller allows; null for any
 * @param image     the image that is its root; null for the usual one of its level
 * @param strict    whether limits and layers that the host cannot enforce refuse it
 * @param macLabel  an AppArmor profile or SELinux context to execute under; null for none
 */
public record Containment(
        ProfileRef profile,
        List<Mount> mounts,
        @Nullable Isolation isolation,
        @Nullable Isolation atMost,
        @Nullable String image,
        boolean strict,
        @Nullable String macLabel) {
    /** Copies the mounts. */
    public Containment {
        mounts = List.copyOf(mounts);
    }

    /** This containment with another filter. */
    Containment with(ProfileRef filter) {
        return new Containment(filter, mounts, isolation, atMost, image, strict, macLabel);
    }
}
