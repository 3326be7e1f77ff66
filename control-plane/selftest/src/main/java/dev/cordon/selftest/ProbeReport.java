package dev.cordon.selftest;

import dev.cordon.selftest.rig.ProbeVerdict;

/**
 * The result of one probe.
 *
 * @param id      the threat, such as {@code A-01}; stable
 * @param title   what was tried
 * @param verdict what became of it
 * @param detail  how many attempts were refused, which one came through, or why it could not be tried
 */
public record ProbeReport(String id, String title, ProbeVerdict verdict, String detail) {
    /** The family of threats. */
    public String family() {
        return id.substring(0, 1);
    }
}
