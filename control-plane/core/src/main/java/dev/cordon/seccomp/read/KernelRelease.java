package dev.cordon.seccomp.read;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kernel's version, as far as profiles ask for it.
 *
 * @param major the first number
 * @param minor the second number
 */
public record KernelRelease(int major, int minor) implements Comparable<KernelRelease> {
    private static final Pattern WANTED = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");
    private static final Pattern RUNNING = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");

    /** The kernel that runs here. */
    public static KernelRelease running() {
        String release = System.getProperty("os.version", "");
        return match(RUNNING, release)
                .orElseThrow(() -> new IllegalStateException("os.version '" + release + "' is no kernel release"));
    }

    /** The version in a {@code minKernel} field: two numbers and a dot. */
    static Optional<KernelRelease> parse(String text) {
        return match(WANTED, text);
    }

    private static Optional<KernelRelease> match(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.matches()
                ? Optional.of(new KernelRelease(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(KernelRelease other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }
}
