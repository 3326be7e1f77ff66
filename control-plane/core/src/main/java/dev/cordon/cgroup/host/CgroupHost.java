package dev.cordon.cgroup.host;

import dev.cordon.cgroup.CgroupException;
import dev.cordon.cgroup.CgroupFile;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.cgroup.CgroupSupport;
import dev.cordon.cgroup.DetectionView;
import dev.cordon.cgroup.JobName;
import dev.cordon.cgroup.LimitEnforcement;
import dev.cordon.cgroup.tree.CgroupQuarantine;
import dev.cordon.cgroup.tree.CgroupTree;
import dev.cordon.cgroup.tree.JobCgroup;
import dev.cordon.cgroup.v1.LegacyTrees;
import dev.cordon.cgroup.v2.UnifiedTree;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The cgroups of this host, ready for jobs. Owns the directory {@code cordon} in each hierarchy, together with other
 * control planes of the host; close it when no job is left. Safe for use by any number of threads.
 */
public final class CgroupHost implements AutoCloseable {

    private static final int ATTEMPTS = 10;

    private final CgroupSupport cgroups;
    private final CgroupTree tree;
    private final LimitEnforcement enforcement;
    private final CgroupQuarantine quarantine = new CgroupQuarantine();

    private CgroupHost(CgroupSupport cgroups, CgroupTree tree) {
        this.cgroups = cgroups;
        this.tree = tree;
        this.enforcement = tree.enforcement();
    }

    /** Says what a host offers to this process. Changes nothing. */
    public static CgroupSupport detect(DetectionView host) {
        return new CgroupDetection(host).decide();
    }

    /** Detects what this host offers and makes it ready. */
    public static CgroupHost open() {
        DetectionView host = DetectionView.real();
        return open(detect(host), host);
    }

    /**
     * Makes ready what was detected. A place that turns out not to be usable gives a host without cgroups, whose {@link
     * #cgroups} and {@link #enforced} say why: jobs then list the limits that do not hold, and strict ones are refused.
     */
    public static CgroupHost open(CgroupSupport detected, DetectionView host) {
        // The first line of /proc/swaps is its heading.
        boolean swap = host.lines("/proc/swaps").size() > 1;
        CgroupTree tree = switch (detected) {
            case CgroupSupport.Unified unified -> new UnifiedTree(unified, swap);
            case CgroupSupport.Legacy legacy -> new LegacyTrees(legacy, swap);
            case CgroupSupport.None none -> new LegacyTrees(none);
        };
        try {
            return persistently(tree, () -> {
                tree.prepare();
                return new CgroupHost(detected, tree);
            });
        } catch (CgroupException refused) {
            tree.bases().forEach(CgroupFile::removeDirectory);
            var none = new CgroupSupport.None(
                    String.valueOf(refused.getMessage()), "run it in a unit of its own with Delegate=yes, or as root");
            return new CgroupHost(none, new LegacyTrees(none));
        }
    }

    /** What was found. */
    public CgroupSupport cgroups() {
        return cgroups;
    }

    /** Which limits the kernel holds for a whole job here. */
    public LimitEnforcement enforced() {
        return enforcement;
    }

    /**
     * Makes the first of a job's cgroups, where its supervisor can be born while the others are made: {@link #make} and {@link #finish},
     * or {@link #abandon} come next.
     *
     * @return the v2 directory; empty when the host has none for us
     * @throws CgroupException when the kernel refused it; nothing is left behind
     */
    public Optional<Path> begin(JobName name) throws CgroupException {
        quarantine.retryNowAndThen();
        return persistently(tree, () -> tree.begin(name));
    }

    /**
     * Makes the others, which have no limits yet: nothing may be put into them before {@link #finish}.
     *
     * @throws CgroupException when the kernel refused it; what there is has to be abandoned
     */
    public void make(JobName name) throws CgroupException {
        persistently(tree, () -> {
            tree.make(name);
            return name;
        });
    }

    /**
     * Puts every limit that {@link #enforced} promises in place, and reads it back.
     *
     * @throws CgroupException when the kernel refused a step: the job must not run, and what there is has to be abandoned
     */
    public JobCgroup finish(JobName name, CgroupLimits limits) throws CgroupException {
        return tree.create(name, limits, quarantine);
    }

    /**
     * Removes what was begun, and kills whatever is in it.
     *
     * @param whenGone run once, as soon as nothing is left
     */
    public void abandon(JobName name, Runnable whenGone) {
        quarantine.remove(name, tree.directories(name.fileName()), whenGone);
    }

    /** Jobs whose cgroups could not be removed yet. */
    public List<JobName> quarantined() {
        return quarantine.names();
    }

    private interface Step<T> {
        T run() throws CgroupException;
    }

    /** Another control plane of this host may end at any time, find the common parent empty and remove it. */
    private static <T> T persistently(CgroupTree tree, Step<T> step) throws CgroupException {
        for (int attempt = 1; ; attempt++) {
            try {
                if (attempt > 1) {
                    tree.prepare();
                }
                return step.run();
            } catch (CgroupException refused) {
                if (!refused.absent() || attempt == ATTEMPTS) {
                    throw refused;
                }
            }
        }
    }

    public CgroupTree tree() {
        return tree;
    }

    /** Removes the directory {@code cordon} where it is empty. Jobs of other control planes keep it. */
    @Override
    public void close() {
        quarantine.retry();
        tree.bases().forEach(CgroupFile::removeDirectory);
    }
}
