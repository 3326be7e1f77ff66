package dev.cordon.bindings;

import org.jspecify.annotations.Nullable;

/** Something native is missing or of another version; the message ends with what to do about it. */
public final class NativeUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String missing;
    private final String remedy;

    /**
     * Says what is missing and how to get it.
     *
     * @param missing what could not be used, and why
     * @param remedy what the user can do
     */
    public NativeUnavailable(String missing, String remedy) {
        this(missing, remedy, null);
    }

    /**
     * Says what is missing and how to get it.
     *
     * @param missing what could not be used, and why
     * @param remedy what the user can do
     * @param cause what was thrown underneath
     */
    public NativeUnavailable(String missing, String remedy, @Nullable Throwable cause) {
        super(missing + "; " + remedy, cause);
        this.missing = missing;
        this.remedy = remedy;
    }

    /** What could not be used. */
    public String missing() {
        return missing;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
