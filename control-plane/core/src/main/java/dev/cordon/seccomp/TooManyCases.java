package dev.cordon.seccomp;

/** The conditions of one system call take more rules than a filter can hold. */
public final class TooManyCases extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A rule takes at least three instructions, and the kernel accepts 4096 in a filter. */
    static final int LIMIT = 1024;

    private TooManyCases() {
        super("more than " + LIMIT + " rules");
    }

    public static void check(int cases) {
        if (cases > LIMIT) {
            throw new TooManyCases();
        }
    }
}
