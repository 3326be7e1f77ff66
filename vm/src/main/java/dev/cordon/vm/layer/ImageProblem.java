package dev.cordon.vm.layer;

import java.io.IOException;

/** An image that cannot be had: what is wrong, and the remedy. */
public final class ImageProblem extends IOException {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    /** A problem and what to do about it. */
    public ImageProblem(String problem, String remedy) {
        super(problem);
        this.remedy = remedy;
    }

    /** A problem with the exception behind it. */
    public ImageProblem(String problem, String remedy, Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    /** An archive that is malformed; its names may be anything, and are shown so that they forge no second line. */
    public static ImageProblem ofArchive(String entry, String problem, String remedyOfUploads) {
        String what = entry.isEmpty() ? "it" : "'" + entry.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?") + "'";
        return new ImageProblem(
                "this is not a tar archive that can be used: " + what + " " + problem,
                "make it with GNU tar, without --sparse, or with docker save");
    }

    /** What is wrong. */
    public String problem() {
        return String.valueOf(getMessage());
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
