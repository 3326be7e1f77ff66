package dev.cordon.bindings.wire;

import dev.cordon.bindings.generated.wire.CordonWireH;

/** The steps of making a sandbox and of starting a command, in order; a failure names one. */
public enum SetupStage implements WireConstant {
    /** A message is malformed. */
    PROTOCOL(CordonWireH.STAGE_PROTOCOL()),
    /** The plan is read and checked. */
    PLAN(CordonWireH.STAGE_PLAN()),
    /** What is bound into the jail is opened. */
    SOURCES(CordonWireH.STAGE_SOURCES()),
    /** A prepared network namespace is joined. */
    NETNS(CordonWireH.STAGE_NETNS()),
    /** Init is cloned into its namespaces. */
    CLONE(CordonWireH.STAGE_CLONE()),
    /** The id maps are written. */
    IDMAP(CordonWireH.STAGE_IDMAP()),
    /** Init enters its control groups. */
    CGROUP(CordonWireH.STAGE_CGROUP()),
    /** Ids are taken, groups dropped. */
    IDS(CordonWireH.STAGE_IDS()),
    /** Mount propagation is made private. */
    PROPAGATION(CordonWireH.STAGE_PROPAGATION()),
    /** The root tmpfs is mounted. */
    ROOT(CordonWireH.STAGE_ROOT()),
    /** The plan's operations are applied. */
    MOUNTS(CordonWireH.STAGE_MOUNTS()),
    /** The old root is left. */
    PIVOT(CordonWireH.STAGE_PIVOT()),
    /** The loopback interface is raised. */
    LOOPBACK(CordonWireH.STAGE_LOOPBACK()),
    /** The host name is set. */
    HOSTNAME(CordonWireH.STAGE_HOSTNAME()),
    /** A fresh session keyring is joined. */
    KEYRING(CordonWireH.STAGE_KEYRING()),
    /** No new privileges from here on. */
    NO_NEW_PRIVS(CordonWireH.STAGE_NO_NEW_PRIVS()),
    /** Landlock is applied. */
    LANDLOCK(CordonWireH.STAGE_LANDLOCK()),
    /** All capabilities are dropped. */
    CAPABILITIES(CordonWireH.STAGE_CAPABILITIES()),
    /** Init becomes undumpable. */
    DUMPABLE(CordonWireH.STAGE_DUMPABLE()),
    /** The filter is loaded. */
    FILTER(CordonWireH.STAGE_FILTER()),
    /** Init reports. */
    READY(CordonWireH.STAGE_READY()),
    /** The command is forked. */
    FORK(CordonWireH.STAGE_FORK()),
    /** Its standard streams are placed. */
    STDIO(CordonWireH.STAGE_STDIO()),
    /** Its working directory is entered. */
    CWD(CordonWireH.STAGE_CWD()),
    /** Its resource limits are set. */
    RLIMITS(CordonWireH.STAGE_RLIMITS()),
    /** Its security label is set. */
    LABEL(CordonWireH.STAGE_LABEL()),
    /** Its own filter is loaded. */
    JOB_FILTER(CordonWireH.STAGE_JOB_FILTER()),
    /** Its program is executed. */
    EXEC(CordonWireH.STAGE_EXEC());

    private final int code;

    SetupStage(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
