package dev.cordon.bindings.value;

import dev.cordon.bindings.generated.libc.LibcH;

/** What a resource limit is about; {@code setrlimit(2)} describes each. */
public enum RlimitResource {
    /** Processor seconds. */
    CPU(LibcH.RLIMIT_CPU()),
    /** Bytes of the largest file. */
    FSIZE(LibcH.RLIMIT_FSIZE()),
    /** Bytes of the data segment and private writable mappings. */
    DATA(LibcH.RLIMIT_DATA()),
    /** Bytes of the main thread's stack. */
    STACK(LibcH.RLIMIT_STACK()),
    /** Bytes of a core dump. */
    CORE(LibcH.RLIMIT_CORE()),
    /** Not enforced since Linux 2.4.30. */
    RSS(LibcH.RLIMIT_RSS()),
    /** Processes of the user. */
    NPROC(LibcH.RLIMIT_NPROC()),
    /** The highest descriptor, plus one. */
    NOFILE(LibcH.RLIMIT_NOFILE()),
    /** Locked bytes. */
    MEMLOCK(LibcH.RLIMIT_MEMLOCK()),
    /** Bytes of address space. */
    AS(LibcH.RLIMIT_AS()),
    /** Not enforced since Linux 2.4.25. */
    LOCKS(LibcH.RLIMIT_LOCKS()),
    /** Queued signals. */
    SIGPENDING(LibcH.RLIMIT_SIGPENDING()),
    /** Bytes of POSIX message queues. */
    MSGQUEUE(LibcH.RLIMIT_MSGQUEUE()),
    /** Ceiling of the nice value. */
    NICE(LibcH.RLIMIT_NICE()),
    /** Ceiling of the real-time priority. */
    RTPRIO(LibcH.RLIMIT_RTPRIO()),
    /** Microseconds of real-time scheduling without a blocking call. */
    RTTIME(LibcH.RLIMIT_RTTIME());

    private final int number;

    RlimitResource(int number) {
        this.number = number;
    }

    /** The kernel's number of this resource. */
    public int number() {
        return number;
    }
}
