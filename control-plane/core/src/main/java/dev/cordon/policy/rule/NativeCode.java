package dev.cordon.policy.rule;

import java.util.Arrays;

/** Recognises files that a processor executes: ELF programs and shared objects, and the formats of other systems that a loader may know. */
public final class NativeCode {
    private static final byte[][] MAGICS = {
        {0x7f, 'E', 'L', 'F'},
        {'M', 'Z'},
        {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe},
        {(byte) 0xcf, (byte) 0xfa, (byte) 0xed, (byte) 0xfe},
        {0, 'a', 's', 'm'},
        {'!', '<', 'a', 'r', 'c', 'h', '>'},
    };

    private NativeCode() {}

    /** Whether the file begins like one. */
    public static boolean is(byte[] content) {
        return Arrays.stream(MAGICS)
                .anyMatch(magic -> content.length >= magic.length
                        && Arrays.equals(content, 0, magic.length, magic, 0, magic.length));
    }
}
