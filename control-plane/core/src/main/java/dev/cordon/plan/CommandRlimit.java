package dev.cordon.plan;

/**
 * A resource limit set just before the command is executed.
 *
 * @param resource what it limits
 * @param soft     the limit in force
 * @param hard     up to which a process may raise it
 */
public record CommandRlimit(Resource resource, long soft, long hard) {
    /** Checks that the limits are ordered and not negative. */
    public CommandRlimit {
        if (soft < 0 || hard < soft) {
            throw new IllegalArgumentException(resource + ": soft limit " + soft + ", hard limit " + hard);
        }
    }

    /** One amount for both. */
    public static CommandRlimit of(Resource resource, long amount) {
        return new CommandRlimit(resource, amount, amount);
    }

    /** The resources that plans use, named as in setrlimit(2) without the prefix. */
    public enum Resource {
        /** Address space, bytes. */
        AS,
        /** Core file, bytes. */
        CORE,
        /** CPU time of one process, seconds. */
        CPU,
        /** Private writable memory, bytes. */
        DATA,
        /** Largest file, bytes. */
        FSIZE,
        /** Locked memory, bytes. */
        MEMLOCK,
        /** Bytes of POSIX message queues. */
        MSGQUEUE,
        /** Descriptors. */
        NOFILE,
        /** Processes of the user. */
        NPROC,
        /** Timers and queued signals of the user. */
        SIGPENDING
    }
}
