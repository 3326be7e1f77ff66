package dev.cordon.server.config;

import dev.cordon.config.ProcessJobs;
import dev.cordon.server.job.JobQueue;
import dev.cordon.server.job.SandboxDesk;
import dev.cordon.server.store.JobHistory;
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
 * @param queue   how many jobs
 * @param sandboxes how many sandboxes that stay
 * @param longestWait the longest that a request waits for a job
 * @param request the largest request, in bytes
 * @param output  the most output of one job that is kept, in bytes
 * @param artifacts the most bytes of collected files that are kept, of all jobs
 * @param history what is remembered
 * @param processJobs who may have the isolation level process
 */
public record ServerSettings(
        Optional<Path> socket,
        @Nullable String group,
        Optional<ListenAddress.Tcp> tcp,
        Set<String> hosts,
        Path state,
        @Nullable Path credentials,
        Duration tokenLifetime,
        JobQueue.Bounds queue,
        SandboxDesk.Bounds sandboxes,
        Duration longestWait,
        long request,
        long output,
        long artifacts,
        JobHistory.Bounds history,
        ProcessJobs processJobs) {
    /** Copies the set. */
    public ServerSettings {
        hosts = Set.copyOf(hosts);
    }
}
