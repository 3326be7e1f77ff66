package dev.cordon.plan.facts;

import dev.cordon.config.IdRange;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.plan.planner.HostImage;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that a plan needs to know of the host. {@link HostSurvey} gathers it; tests write it down.
 *
 * @param uid          the control plane's effective uid
 * @param gid          its effective gid
 * @param extraGroups  whether it has supplementary groups beside its own
 * @param slots        as root: the host ids that sandboxes may have
 * @param subordinate  rootless: the caller's subordinate ids when newuidmap and newgidmap can be used
 * @param image        the paths of {@link HostImage#SYSTEM}, and of its configuration and data, that exist, by path
 * @param runDirectory where work directories of {@code process} jobs are made
 * @param sysTree      the directory that jails are shown as /sys; empty: they have none
 * @param sources      the host paths that the job names, by the path it gave
 * @param mountPoints  directories of the host on which something is mounted, as far as a jail may show them
 * @param mountedFiles files of the host on which another is mounted
 * @param hidden       paths of the image that are the site's own, and not shown
 */
public record HostFacts(
        long uid,
        long gid,
        boolean extraGroups,
        IdRange slots,
        Optional<HostIds.Subordinate> subordinate,
        SortedMap<String, HostEntry> image,
        Path runDirectory,
        Optional<Path> sysTree,
        Map<Path, HostSource> sources,
        SortedSet<String> mountPoints,
        SortedSet<String> mountedFiles,
        SortedSet<String> hidden) {
    /** Copies the collections. */
    public HostFacts {
        image = Collections.unmodifiableSortedMap(new TreeMap<>(image));
        sources = Map.copyOf(sources);
        mountPoints = Collections.unmodifiableSortedSet(new TreeSet<>(mountPoints));
        mountedFiles = Collections.unmodifiableSortedSet(new TreeSet<>(mountedFiles));
        hidden = Collections.unmodifiableSortedSet(new TreeSet<>(hidden));
    }

    /** Whether the control plane is root. */
    public boolean root() {
        return uid == 0;
    }

    /** What a path is that the job named. */
    public HostSource source(Path path) {
        return sources.getOrDefault(path, HostSource.missing(path));
    }
}
