package dev.cordon.vm.qemu;

/**
 * What a machine is made of. Machines of one shape share a template, and so the layout of their kernel and what its memory was seeded with.
 *
 * @param image  the name of the image that its root is
 * @param memory the guest's memory in bytes, a multiple of a mebibyte
 * @param cpus   the guest's processors
 * @param owner  whose machines they are; empty for anybody's
 */
public record MachineShape(String image, long memory, int cpus, String owner) {
    private static final long MEBIBYTE = 1L << 20;

    /** Less than this does not boot Debian's kernel. */
    public static final long LEAST_MEMORY = 128 * MEBIBYTE;

    /** Checks the amounts. */
    public MachineShape {
        if (memory < LEAST_MEMORY || memory % MEBIBYTE != 0) {
            throw new IllegalArgumentException("a machine's memory is whole mebibytes, at least "
                    + LEAST_MEMORY / MEBIBYTE + ", not " + memory + " bytes");
        }
        if (cpus < 1 || cpus > 64) {
            throw new IllegalArgumentException("a machine has between 1 and 64 processors, not " + cpus);
        }
    }

    /** Of machines that anybody has. */
    public MachineShape(String image, long memory, int cpus) {
        this(image, memory, cpus, "");
    }

    /** The memory in mebibytes. */
    public long mebibytes() {
        return memory / MEBIBYTE;
    }
}
