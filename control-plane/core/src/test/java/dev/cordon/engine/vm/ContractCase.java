package dev.cordon.engine.vm;

import dev.cordon.Cordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Result;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Something that is the same in a jail and in a machine.
 *
 * @param name   what is tried
 * @param listed why it may differ; empty when it may not
 * @param trial  tries it, and says in few words what was seen
 */
record ContractCase(String name, String listed, Trial trial) {
    /** Tries it at a level. */
    @FunctionalInterface
    interface Trial {
        String seen(Cordon cordon, Isolation level) throws Exception;
    }

    private static final int MOST_SHOWN = 60;

    ContractCase(String name, Trial trial) {
        this(name, "", trial);
    }

    ContractRow row(Cordon cordon) throws Exception {
        return new ContractRow(name, trial.seen(cordon, Isolation.JAIL), trial.seen(cordon, Isolation.VM), listed);
    }

    /** A job of the size that all machines of the suite have, with more time than a slow machine takes. */
    static Job sized(Job job, Isolation level) {
        return job.isolation(level).memory(ByteSize.mib(64)).timeout(Duration.ofSeconds(60));
    }

    /** What is seen of a job that is run. */
    static Trial run(Job job) {
        return (cordon, level) -> shown(cordon.run(sized(job, level)));
    }

    static Trial shell(String script) {
        return run(Job.shell(script));
    }

    static String shown(Result result) {
        String text = result.stdoutText().length() > MOST_SHOWN
                ? hash(result.stdout().bytes())
                : result.stdoutText().strip().replace('\n', ' ');
        String errors = result.stderrText().strip().replace('\n', ' ');
        return result.outcome()
                + (text.isEmpty() ? "" : " '" + text + "'")
                + (errors.isEmpty() ? "" : " stderr '" + errors + "'");
    }

    static String hash(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return bytes.length + " bytes, SHA-256 " + HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
