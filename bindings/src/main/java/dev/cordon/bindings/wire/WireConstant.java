package dev.cordon.bindings.wire;

import java.util.Collection;

/** A constant that has a number on the wire. */
public interface WireConstant {
    /** The number. */
    int code();

    /** The constant with this number, among all of its kind. */
    static <E extends Enum<E> & WireConstant> E find(Class<E> kind, int code) throws MalformedMessage {
        for (E constant : kind.getEnumConstants()) {
            if (constant.code() == code) {
                return constant;
            }
        }
        throw new MalformedMessage(kind.getSimpleName() + " " + code + " is unknown");
    }

    /** The numbers of flags, or-ed together. */
    static int bits(Collection<? extends WireConstant> flags) {
        int bits = 0;
        for (WireConstant flag : flags) {
            bits |= flag.code();
        }
        return bits;
    }
}
