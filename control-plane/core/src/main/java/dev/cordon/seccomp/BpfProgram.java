package dev.cordon.seccomp;

import java.util.Arrays;

/** A filter as the kernel loads it: an array of {@code struct sock_filter}. */
public final class BpfProgram {
    /** What the kernel accepts (BPF_MAXINSNS). */
    public static final int MAX_INSTRUCTIONS = 4096;

    private static final int INSTRUCTION_BYTES = 8;

    private final byte[] bytes;

    /** A program of whole instructions, at least one and not more than the kernel takes. */
    public BpfProgram(byte[] bytes) {
        int length = bytes.length;
        if (length == 0 || length % INSTRUCTION_BYTES != 0 || length > MAX_INSTRUCTIONS * INSTRUCTION_BYTES) {
            throw new IllegalArgumentException(length + " bytes are not a BPF program: 1 to " + MAX_INSTRUCTIONS
                    + " instructions of " + INSTRUCTION_BYTES + " bytes");
        }
        this.bytes = bytes.clone();
    }

    /** A copy of the program. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** How many instructions it has. */
    public int instructions() {
        return bytes.length / INSTRUCTION_BYTES;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BpfProgram program && Arrays.equals(bytes, program.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return instructions() + " BPF instructions";
    }
}
