package dev.cordon.vm;

import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A machine that could not be had, with the stage that failed, the remedy and the end of the guest's console. */
public final class MachineFailed extends IOException {
    private static final long serialVersionUID = 1L;

    /** How far it came. */
    public enum Stage {
        /** The kernel, the initramfs or the root image is missing, damaged or cannot be made. */
        IMAGE,
        /** QEMU could not be started, or refused its arguments. */
        LAUNCH,
        /** The guest did not say that it is up. */
        BOOT,
        /** The template could not be saved or loaded. */
        TEMPLATE,
        /** The guest did not take its new identity. */
        RENEWAL
    }

    private final Stage stage;
    private final String remedy;
    private final String console;

    /**
     * A failure.
     *
     * @param stage   how far it came
     * @param problem what happened
     * @param remedy  what to do about it
     * @param console the end of the guest's console, empty when there is none
     * @param cause   the exception behind it; null when there is none
     */
    public MachineFailed(Stage stage, String problem, String remedy, String console, @Nullable Throwable cause) {
        super(problem, cause);
        this.stage = stage;
        this.remedy = remedy;
        this.console = console;
    }

    /** A failure for a reason that was thrown. */
    static MachineFailed at(Stage stage, IOException cause, String console) {
        String remedy = cause instanceof ImageProblem problem ? problem.remedy() : remedy(stage);
        return new MachineFailed(stage, String.valueOf(cause.getMessage()), remedy, console, cause);
    }

    private static String remedy(Stage stage) {
        return switch (stage) {
            case IMAGE -> "build it again with: cordon image build --refresh";
            case LAUNCH -> "see what QEMU said; cordon doctor checks what it needs";
            case BOOT -> "see the end of the guest's console; a loaded host needs a longer vm.boot_timeout";
            case TEMPLATE, RENEWAL ->
                "try again; if it stays, remove the directories template-* below the state directory's vm";
        };
    }

    /** How far it came. */
    public Stage stage() {
        return stage;
    }

    /** What went wrong. */
    public String problem() {
        return String.valueOf(getMessage());
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }

    /** The last lines of the guest's console. */
    public String console() {
        return console;
    }
}
