package dev.cordon.plan.facts;

import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.JobSpec;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps one job from taking the open files of the whole host: its processes together may have a share of fs.file-max, beyond which
 * everybody who is not root gets ENFILE. An {@code open_files} that was not asked for is lowered to the share, one that was asked for is
 * refused. Where file-max is without bound, as systemd sets it, nothing happens.
 *
 * @param host fs.file-max
 */
public record OpenFilesShare(long host) {
    /** One job gets no more than this part. */
    private static final int PART = 8;

    /** With fewer a usual program does not start. */
    private static final long LEAST = 64;

    /** What one job may open. */
    public long ofOne() {
        return host / PART;
    }

    /**
     * The job within the share.
     *
     * @param pids the processes that share the limit: the sandbox's, for a command in one
     * @throws InvalidJob when it asked for more
     */
    public JobSpec applied(JobSpec job, long pids) {
        long each = job.limits().openFiles();
        long fitting = ofOne() / Math.max(1, pids);
        if (each <= fitting) {
            return job;
        }
        if (job.asked().contains(Limit.OPEN_FILES)) {
            throw refused(
                    "/limits/open_files",
                    each,
                    "is with pids = " + pids,
                    "ask for at most " + Math.max(fitting, Limit.OPEN_FILES.least()) + ", for fewer pids,");
        }
        if (fitting < LEAST && job.asked().contains(Limit.PIDS)) {
            throw refused(
                    "/limits/pids",
                    pids,
                    "is with open_files = " + LEAST + ", the least that programs need,",
                    "ask for at most " + Math.max(1, ofOne() / LEAST) + ", name a smaller open_files,");
        }
        Map<Limit, Long> amounts = new EnumMap<>(job.limits().amounts());
        amounts.put(Limit.OPEN_FILES, Math.min(each, Math.max(LEAST, fitting)));
        return job.under(Limits.of(amounts));
    }

    private InvalidJob refused(String pointer, long value, String with, String remedy) {
        return new InvalidJob(List.of(new FieldError(
                pointer,
                Long.toString(value),
                with + " more than " + ofOne() + " open files, an eighth of this host's fs.file-max",
                remedy + " or have sysctl fs.file-max raised")));
    }
}
