package dev.cordon.policy.rule;

import dev.cordon.job.Command;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Trust;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a rule is about: those for which everything that is given holds. What is null or empty is not looked at.
 *
 * @param owner     on whose behalf
 * @param labels    labels and their values
 * @param language  the language's name, {@code command} for a program
 * @param trust     what the caller declares
 * @param network   the network that is asked for
 * @param mounts    the strongest access to files of the host that is asked for
 * @param binaries  whether native code is among the job's files
 * @param image     the root that is asked for
 * @param profile   the filter of system calls, by name; {@code custom} for a file
 * @param isolation the level that is asked for by name
 */
public record RuleMatch(
        @Nullable NamePatterns owner,
        Map<String, NamePatterns> labels,
        @Nullable NamePatterns language,
        Set<Trust> trust,
        @Nullable NamePatterns network,
        @Nullable Access mounts,
        @Nullable Boolean binaries,
        @Nullable NamePatterns image,
        @Nullable NamePatterns profile,
        Set<Isolation> isolation) {
    /** How far a job reaches into the host's files. */
    public enum Access {
        /** Not at all. */
        NONE,
        /** It may read some. */
        READ,
        /** It may change some. */
        WRITE
    }

    /** Every job. */
    public static final RuleMatch ALL =
            new RuleMatch(null, Map.of(), null, Set.of(), null, null, null, null, null, Set.of());

    /** Copies the collections. */
    public RuleMatch {
        labels = Map.copyOf(labels);
        trust = Set.copyOf(trust);
        isolation = Set.copyOf(isolation);
    }

    boolean holds(JobSpec job, JobFacts facts) {
        return named(owner, job.origin().owner())
                && labels.entrySet().stream()
                        .allMatch(label -> job.origin().labels().containsKey(label.getKey())
                                && label.getValue()
                                        .match(String.valueOf(
                                                job.origin().labels().get(label.getKey()))))
                && named(language, language(job.command()))
                && (trust.isEmpty() || trust.contains(job.origin().trust()))
                && named(network, facts.network())
                && (mounts == null || mounts == access(job))
                && (binaries == null || binaries == !facts.binaries().isEmpty())
                && named(image, facts.image())
                && named(profile, profileName(job))
                && (isolation.isEmpty()
                        || (job.containment().isolation() != null
                                && isolation.contains(job.containment().isolation())));
    }

    private static boolean named(@Nullable NamePatterns names, String name) {
        return names == null || names.match(name);
    }

    private static String language(Command command) {
        return switch (command) {
            case Command.None _, Command.OfImage _, Command.Argv _ -> "command";
            case Command.Code code -> code.language().label();
            case Command.Script script -> script.language().label();
        };
    }

    private static Access access(JobSpec job) {
        if (job.containment().mounts().stream().anyMatch(Mount::writable)) {
            return Access.WRITE;
        }
        return job.containment().mounts().isEmpty() ? Access.NONE : Access.READ;
    }

    private static String profileName(JobSpec job) {
        return switch (job.containment().profile()) {
            case ProfileRef.Named named -> named.name();
            case ProfileRef.FromFile ignored -> "custom";
        };
    }
}
