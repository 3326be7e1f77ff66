package dev.cordon.cgroup;

/** The limits that hold for all processes of a job together, when the kernel has the controller for them. */
public enum WholeJobLimit {
    /** Bytes of memory, page cache and kernel objects among them. */
    MEMORY,
    /** No swap, so that the memory limit can't be passed by swapping. */
    SWAP,
    /** Processes and threads. */
    PIDS,
    /** Share of the CPUs. */
    CPU_RATE,
    /** CPU time of the whole job: counted by the kernel, ended by the supervisor. */
    CPU_TIME,
    /** Bytes and operations per second on block devices. */
    IO
}
