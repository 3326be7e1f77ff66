package dev.cordon.plan;

import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.Stdin;
import dev.cordon.job.Terminal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command to execute once the sandbox is ready.
 *
 * @param argv          the program and its arguments; found through PATH when it has no slash
 * @param environment   {@code NAME=value}, the whole of it
 * @param workdir       the working directory
 * @param rlimits       set in every case
 * @param rlimitsWithoutCgroup set only where no cgroup holds the memory or the number of processes
 * @param timeout       wall-clock limit, held by the supervisor
 * @param cpuTime       CPU time limit of the whole job
 * @param stdin         standard input
 * @param outputBytes   bytes kept of each stream
 * @param onOutputLimit what happens then
 * @param onViolation   what happens at a tripwire
 * @param terminal      a terminal instead of the three streams; null for none
 * @param streaming     whether the caller reads the output streams himself
 */
public record CommandPlan(
        List<String> argv,
        List<String> environment,
        String workdir,
        List<CommandRlimit> rlimits,
        List<CommandRlimit> rlimitsWithoutCgroup,
        Duration timeout,
        Duration cpuTime,
        Stdin stdin,
        long outputBytes,
        OnOutputLimit onOutputLimit,
        OnViolation onViolation,
        @Nullable Terminal terminal,
        boolean streaming) {
    /** Copies the lists. */
    public CommandPlan {
        argv = List.copyOf(argv);
        environment = List.copyOf(environment);
        rlimits = List.copyOf(rlimits);
        rlimitsWithoutCgroup = List.copyOf(rlimitsWithoutCgroup);
    }
}
