package dev.cordon.doctor;

import java.util.Optional;

/**
 * The two numbers of a kernel release that features are dated by.
 *
 * @param major 6 of 6.18.44
 * @param minor 18 of 6.18.44
 */
record KernelVersion(int major, int minor) {

    /** Reads a release string such as {@code 6.1.0-18-amd64}. */
    static Optional<KernelVersion> parse(String release) {
        int dot = release.indexOf('.');
        if (dot <= 0) {
            return Optional.empty();
        }
        int end = dot + 1;
        while (end < release.length() && Character.isDigit(release.charAt(end))) {
            end++;
        }
        try {
            return Optional.of(new KernelVersion(
                    Integer.parseInt(release, 0, dot, 10), Integer.parseInt(release, dot + 1, end, 10)));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    boolean atLeast(KernelVersion other) {
        return major != other.major ? major > other.major : minor >= other.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
