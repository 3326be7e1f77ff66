package dev.cordon.doctor;

import dev.cordon.bindings.wire.SetupStage;
import dev.cordon.config.InvalidConfig;
import dev.cordon.config.MemorySettings;
import dev.cordon.job.Job;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What became of a jail that was to run /bin/true. Only use shows that a layer works: the checks of the layers that a jail
 * is made of lean on this, and look at settings to explain a failure.
 */
sealed interface TrialJob {

    /**
     * The jail was built, ran its command and is gone.
     *
     * @param landlock whether Landlock was among its layers
     * @param ownInodes whether what it showed of the host had inodes of its own
     * @param limitsNotEnforced the limits that the kernel did not hold for it as a whole
     */
    record Worked(boolean landlock, boolean ownInodes, List<Limit> limitsNotEnforced) implements TrialJob {
        public Worked {
            limitsNotEnforced = List.copyOf(limitsNotEnforced);
        }
    }

    /**
     * The jail could not be built.
     *
     * @param stage the step that failed, in lower case
     * @param message what happened, with the error number
     * @param remedy what to do about it
     */
    record Failed(String stage, String message, String remedy) implements TrialJob {

        /** Whether its namespaces were there already. Control groups are prepared before them, too. */
        boolean hadNamespaces() {
            return Arrays.stream(SetupStage.values())
                    .filter(known -> known.name().toLowerCase(Locale.ROOT).equals(stage))
                    .anyMatch(known -> known.compareTo(SetupStage.CLONE) > 0 && known != SetupStage.CGROUP);
        }
    }

    /**
     * It did not come to a trial.
     *
     * @param reason what is missing
     * @param remedy what to do about it
     */
    record NotMade(String reason, String remedy) implements TrialJob {}

    /**
     * It did not come to a trial now, and may soon.
     *
     * @param reason what others have
     */
    record Busy(String reason) implements TrialJob {}

    /** Makes one jail, with little memory: one that has much may have to wait for that. */
    static TrialJob of(JobRunner runner) {
        try {
            return judge(runner.run(
                    Job.argv("/bin/true").timeout(Duration.ofSeconds(20)).memory(MemorySettings.SERVICE_JOBS)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new NotMade("interrupted", "try again");
        } catch (InvalidConfig wrong) {
            return new NotMade(String.valueOf(wrong.getMessage()), "mend that line of the configuration");
        } catch (Exception | LinkageError impossible) {
            return new NotMade(String.valueOf(impossible.getMessage()), "see the checks native_library and libseccomp");
        }
    }

    private static TrialJob judge(Result result) {
        return switch (result.outcome()) {
            case Outcome.SetupFailed failed ->
                new Failed(
                        failed.stage().toLowerCase(Locale.ROOT),
                        "stage " + failed.stage() + ", " + failed.error() + " (" + failed.detail() + ")",
                        failed.remedy());
            case Outcome.Denied denied
            when denied.retryAfter() != null -> new Busy(String.join("; ", denied.reasons()));
            case Outcome.Denied denied ->
                new NotMade(
                        "the policy denies it: " + String.join("; ", denied.reasons()),
                        "allow the jobs that Cordon runs for itself; a service's have the owner cordon.service");
            case Outcome.HostUnsupported unsupported -> new NotMade(unsupported.check(), unsupported.remedy());
            case Outcome.Exited exited
            when exited.code() == 0 ->
                new Worked(
                        !result.applied().layersMissing().contains("landlock"),
                        !result.applied().layersMissing().contains("own_inodes"),
                        result.applied().limitsNotEnforced());
            default ->
                new Failed(
                        "command",
                        "/bin/true ended as " + result.outcome(),
                        "check that /bin/true works on the host; else report this with the output of cordon doctor"
                                + " --json");
        };
    }
}
