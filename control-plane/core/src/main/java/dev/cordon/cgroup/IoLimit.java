package dev.cordon.cgroup;

import java.util.OptionalLong;

/**
 * A limit on one block device.
 *
 * @param major the device's major number
 * @param minor its minor number; a whole device, not a partition
 * @param readBytesPerSecond at most this many bytes read
 * @param writeBytesPerSecond at most this many bytes written
 * @param readsPerSecond at most this many read operations
 * @param writesPerSecond at most this many write operations
 */
public record IoLimit(
        int major,
        int minor,
        OptionalLong readBytesPerSecond,
        OptionalLong writeBytesPerSecond,
        OptionalLong readsPerSecond,
        OptionalLong writesPerSecond) {

    /** Refuses zero, negative and empty limits. */
    public IoLimit {
        if (major < 0 || minor < 0) {
            throw new IllegalArgumentException("io: a device is <major>:<minor>, not " + major + ":" + minor);
        }
        boolean some = false;
        for (OptionalLong rate :
                new OptionalLong[] {readBytesPerSecond, writeBytesPerSecond, readsPerSecond, writesPerSecond}) {
            some |= rate.isPresent();
            if (rate.orElse(1) < 1) {
                throw new IllegalArgumentException("io: a rate is 1 or more, not " + rate.getAsLong());
            }
        }
        if (!some) {
            throw new IllegalArgumentException("io: device " + major + ":" + minor + " names no rate");
        }
    }

    String device() {
        return major + ":" + minor;
    }

    /** The line as {@code io.max} shows it. */
    public String line() {
        return device() + " rbps=" + rate(readBytesPerSecond) + " wbps=" + rate(writeBytesPerSecond) + " riops="
                + rate(readsPerSecond) + " wiops=" + rate(writesPerSecond);
    }

    private static String rate(OptionalLong rate) {
        return rate.isPresent() ? Long.toString(rate.getAsLong()) : "max";
    }
}
