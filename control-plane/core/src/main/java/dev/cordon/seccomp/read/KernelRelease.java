package dev.cordon.seccomp.read;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The two numbers of a kernel's version that features are dated by.
 *
 * @param major 6 of 6.18.44
 * @param minor 18 of 6.18.44
 */
public record KernelRelease(int major, int minor) {
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");

    /** The kernel that runs here. */
    public static KernelRelease running() {
        String release = System.getProperty("os.version", "");
        return of(release)
                .orElseThrow(() -> new IllegalStateException("os.version '" + release + "' is not a kernel release"));
    }

    /** The version of a release such as {@code 6.1.0-18-amd64}. */
    public static Optional<KernelRelease> of(String release) {
        Matcher numbers = VERSION.matcher(release);
        return numbers.matches()
                ? Optional.of(new KernelRelease(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))))
                : Optional.empty();
    }

    /** The version in a {@code minKernel} field: two numbers and a dot. */
    static Optional<KernelRelease> parse(String text) {
        return text.matches("\\d{1,4}\\.\\d{1,4}") ? of(text) : Optional.empty();
    }

    public boolean atLeast(KernelRelease other) {
        return major != other.major ? major > other.major : minor >= other.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
