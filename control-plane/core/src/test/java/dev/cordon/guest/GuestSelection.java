package dev.cordon.guest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which tests a guest repeats, as {@link InnerSuite} takes them: a class, a class#method, and -class#method for what is left out. A layout
 * has what it changes: the guest has all controllers in cgroup v2, a user there has them by delegation, and a user's session has fewer.
 */
final class GuestSelection {
    private static final String OUTCOMES = "dev.cordon.engine.OutcomeJailTest";
    private static final String LIMITS = "dev.cordon.engine.LimitJailTest";
    private static final String CGROUPS = "dev.cordon.cgroup.tree.JobCgroupJailTest";
    private static final String SWEEP = "dev.cordon.engine.lease.HostSweepJailTest";

    private static final List<String> CRASHES = of(
            "dev.cordon.engine.CrashJailTest",
            "theJvmIsKilled",
            "theJvmIsStoppedAndTheTimeLimitHolds",
            "theSupervisorIsKilled",
            "closingEndsWhatRuns");

    /** The guest's kernel, 6.1, takes layers by name only, and copies no part of a detached mount: another path than on new ones. */
    private static final List<String> INODES = of(
            "dev.cordon.engine.OwnInodesJailTest",
            "theLayerIsThere",
            "anInputIsShownSoToo",
            "theTableOfMountsTellsNothingOfTheHost",
            "aSandboxKeepsWhatItHasLookedUpWhenTheHostReplacesIt");

    /** One hierarchy is shown, at the place of many. */
    private static final List<String> SHOWN = List.of(
            "dev.cordon.engine.RuntimeLimitsJailTest#aJobReadsItsOwnLimits",
            "dev.cordon.engine.ShownSysJailTest#noControlGroupIsAnotherJobsOrCanBeChanged");

    /** Most work for an emulated processor, and once is enough. */
    private static final List<String> HEAVY =
            of(LIMITS, "manyOutOfMemoryAtOnceHurtNoNeighbour", "aCrowdIsGoneSoonAfterCancel");

    /** Ends that neither a cgroup nor an id has a part in. */
    private static final List<String> PLAIN_OUTCOMES = of(
            OUTCOMES,
            "notThere",
            "notExecutable",
            "invalid",
            "keepsTheBeginningOfALongOutputAndCountsTheRest",
            "endsAJobForItsOutputWhenAskedTo",
            "takesOutputInSingleBytes",
            "endsAJobWhoseInputStalls",
            "feedsInputToAJobThatDoesNotReadIt",
            "feedsMuchInput",
            "runsCodeAsAProcess",
            "aSlowListenerLosesNothing");

    /** Limits that no cgroup holds: a tmpfs or an rlimit does. */
    private static final List<String> PLAIN_LIMITS = of(
            LIMITS,
            "aFullDiskIsTold",
            "spaceOfDeletedFilesCounts",
            "inodesRunOut",
            "aFileHasALargestSize",
            "openFilesHaveALimit",
            "openFilesThatAreAllTakenAreTold",
            "openFilesThatAreAllTakenAreToldOfAJobThatIsKilled");

    private GuestSelection() {}

    /** The Debian package's life, in this order. */
    static List<String> installedPackage() {
        return List.of(
                "dev.cordon.guest.InstalledPackageInsideTest",
                "dev.cordon.guest.ServiceLifeInsideTest",
                "dev.cordon.guest.RootVariantInsideTest",
                "dev.cordon.guest.UpgradedPackageInsideTest",
                "dev.cordon.guest.PurgedPackageInsideTest");
    }

    /** All that unified cgroups can change. */
    static List<String> rootInAService() {
        return all(
                List.of(OUTCOMES, LIMITS, CGROUPS, SWEEP, "dev.cordon.guest.ClockStepInsideTest"),
                CRASHES,
                INODES,
                SHOWN);
    }

    /** What delegated cgroups and a user's ids change beside each other: the host's own user has no cgroups. */
    static List<String> userInAService() {
        return all(
                List.of(OUTCOMES, LIMITS, CGROUPS, SWEEP),
                CRASHES.stream()
                        .filter(test -> !test.endsWith("#theJvmIsStoppedAndTheTimeLimitHolds"))
                        .toList(),
                INODES,
                SHOWN,
                without(PLAIN_OUTCOMES),
                without(PLAIN_LIMITS),
                without(HEAVY));
    }

    /** What fewer controllers change. */
    static List<String> userInASession() {
        return all(List.of(LIMITS, CGROUPS), without(PLAIN_LIMITS), without(HEAVY));
    }

    private static List<String> of(String type, String... methods) {
        return Stream.of(methods).map(method -> type + "#" + method).toList();
    }

    private static List<String> without(List<String> tests) {
        return tests.stream().map(test -> "-" + test).toList();
    }

    @SafeVarargs
    private static List<String> all(List<String>... lists) {
        List<String> all = new ArrayList<>();
        for (List<String> list : lists) {
            all.addAll(list);
        }
        return all;
    }
}
