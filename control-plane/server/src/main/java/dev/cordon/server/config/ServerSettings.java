package dev.cordon.server.config;

import dev.cordon.config.ProcessJobs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the service, checked.
 *
 * @param socket  the unix socket; empty for none
 * @param group   whose members may use the socket; null for nobody but root and the service's own user
 * @param tcp     the TCP port; empty for none
 * @param hosts   the names under which the port may be called
 * @param state   what outlives a restart
 * @param credentials a directory of tokens that the operator keeps in files; null for none
 * @param tokenLifetime how long a token lasts of which nobody says how long
 * @param jobs    how many jobs
 * @param longestWait the longest that a request waits for a job
 * @param request the largest request, in bytes
 * @param output  the most output of one job that is kept, in bytes
 * @param artifacts the most bytes of collected files that are kept, of all jobs
 * @param kept    how many jobs are remembered
 * @param keptFor how long they are
 * @param processJobs who may have the isolation level process
 * @param keptOutput how much of their output, in bytes, apart from what is small
 */
public record ServerSettings(
        Optional<Path> socket,
        @Nullable String group,
        Optional<ListenAddress.Tcp> tcp,
        Set<String> hosts,
        Path state,
        @Nullable Path credentials,
        Duration tokenLifetime,
        Jobs jobs,
        Duration longestWait,
        long request,
        long output,
        long artifacts,
        int kept,
        Duration keptFor,
        ProcessJobs processJobs,
        long keptOutput) {
    /**
     * How many jobs.
     *
     * @param running         at once
     * @param runningPerOwner at once, of one owner
     * @param waiting         in the queue
     * @param waitingPerOwner in the queue, of one owner
     * @param sandboxes       sandboxes that stay, at once
     * @param sandboxesPerOwner those of one owner
     * @param sandboxIdle     after how long without work a sandbox ends that does not ask
     * @param mostSandboxIdle the most that one may ask for
     * @param memory          bytes of output that those at once may hold together
     */
    public record Jobs(
            int running,
            int runningPerOwner,
            int waiting,
            int waitingPerOwner,
            int sandboxes,
            int sandboxesPerOwner,
            Duration sandboxIdle,
            Duration mostSandboxIdle,
            long memory) {}

    /** Copies the set. */
    public ServerSettings {
        hosts = Set.copyOf(hosts);
    }
}
