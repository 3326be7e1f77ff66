package dev.cordon.server;

import dev.cordon.Cordon;
import dev.cordon.audit.file.SigningKey;
import dev.cordon.config.Config;
import dev.cordon.doctor.AuditCheck;
import dev.cordon.doctor.Doctor;
import dev.cordon.doctor.SoftwareVersions;
import dev.cordon.job.limit.Limit;
import dev.cordon.server.access.CredentialTokens;
import dev.cordon.server.access.TokenSessions;
import dev.cordon.server.config.ListenAddress;
import dev.cordon.server.config.ServerSettings;
import dev.cordon.server.config.ServiceRefused;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.JobMetrics;
import dev.cordon.server.job.JobQueue;
import dev.cordon.server.job.LanguageRuntimes;
import dev.cordon.server.job.SandboxDesk;
import dev.cordon.server.log.LogSetup;
import dev.cordon.server.route.ServiceReadiness;
import dev.cordon.server.store.ArtifactStore;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.OutputFiles;
import dev.cordon.server.store.SqliteDatabase;
import dev.cordon.server.store.StorageUnavailable;
import dev.cordon.server.store.TokenStore;
import dev.cordon.vm.time.RetryBackoff;
import io.javalin.util.JavalinBindException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cordon as a service: the composition of its parts. Start is recovery: jobs that an earlier service left without an end get one, and
 * the first jail that the doctor makes sweeps what was left on the host. Closing ends every job.
 */
public final class Service implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);

    /** How long answers may take to leave when the service stops; streams of all jobs have no end of their own. */
    private static final Duration ANSWERS = Duration.ofSeconds(2);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final ServerSettings settings;
    private final HttpApi api;
    private final HttpServer http;

    private Service(Config config, ServerSettings settings, Supplier<Config> again) throws ServiceRefused, IOException {
        this.settings = settings;
        boolean started = false;
        try {
            StateDirectory state = opened(StateDirectory.open(settings.state()));
            SqliteDatabase database = opened(SqliteDatabase.open(state.database()));
            JobHistory history = new JobHistory(database, OutputFiles.in(state.outputs()), settings.history());
            TokenStore tokens = new TokenStore(database, CredentialTokens.read(settings.credentials()));
            TokenSessions sessions =
                    opened(TokenSessions.start(id -> tokens.named(id).isPresent()));
            if (settings.tcp().isPresent()
                    && settings.tcp().get().tls() != null
                    && tokens.list().isEmpty()) {
                throw new ServiceRefused("there is no token, so that nobody could use the port; as the user "
                        + System.getProperty("user.name", "of the service")
                        + ": cordon token create --role admin --state " + settings.state() + " makes one");
            }
            Path key = config.audit().checkpoints().key();
            if (config.audit().enabled() && key != null) {
                SigningKey _ = SigningKey.read(key); // told now, not by the first job
            }
            AuditClaim _ = opened(AuditClaim.of(config.audit(), settings.state()));
            Cordon cordon = opened(Cordon.open(config.withProcessJobs(settings.processJobs())));
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            parts.push(registry::close);
            JobMetrics metrics = new JobMetrics(registry);
            JobQueue queue = new JobQueue(settings.queue());
            metrics.watch(queue);
            metrics.watch(config.audit());
            metrics.watchLog(LogSetup::dropped);
            metrics.watch(cordon, SoftwareVersions.ofThisHost().cordon());
            ArtifactStore artifacts = new ArtifactStore(database, settings.artifacts());
            JobDesk desk = new JobDesk(history, queue, metrics, artifacts, settings.output());
            int lost = desk.recover(jobs -> LostJobs.record(cordon, config.audit(), jobs));
            if (lost > 0) {
                LOG.warn("{} jobs of an earlier service had no end; they are lost", lost);
            }
            history.prune();
            parts.push(desk);
            SandboxDesk sandboxes = opened(new SandboxDesk(cordon, settings.sandboxes()));
            metrics.watch(sandboxes);
            ServiceReadiness readiness = new ServiceReadiness(
                    () -> Doctor.ofThisHost(
                                    job -> cordon.run(job.owner(LanguageRuntimes.OWNER)), config.stateDirectory())
                            .run()
                            .and(AuditCheck.of(config.audit()))
                            .and(AuditCheck.anchors(config.audit())),
                    () -> cordon.recording() && desk.storageWorks());
            metrics.watch(readiness::wasReady);
            api = new HttpApi(
                    config, again, cordon, desk, sandboxes, history, artifacts, tokens, sessions, readiness, registry,
                    settings);
            SocketFile socket = settings.socket().isPresent()
                    ? opened(SocketFile.claim(settings.socket().get(), settings.group()))
                    : null;
            http = opened(api.start());
            if (socket != null) {
                socket.open();
            }
            parts.push(() -> end(desk)); // before the listeners: who waits for a job hears how it ended
            parts.push(ServiceUpkeep.start(readiness, history));
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /**
     * Starts one whose settings never change.
     *
     * @throws ServiceRefused with the remedy
     */
    public static Service start(Config config, ServerSettings settings) throws ServiceRefused {
        return start(config, settings, () -> config);
    }

    /**
     * Starts one.
     *
     * @param again reads the settings once more, for a reload
     * @throws ServiceRefused with the remedy
     */
    public static Service start(Config config, ServerSettings settings, Supplier<Config> again) throws ServiceRefused {
        try {
            Config served = config.recorded().served().pooled().shared();
            Map<Limit, Long> ceilings = HostCeilings.around(served, settings.output());
            return new Service(served.withCeilings(ceilings), settings, again);
        } catch (FileSystemException e) {
            throw new ServiceRefused("the service cannot start: " + e.getFile() + ": "
                    + (e.getReason() == null ? e.getClass().getSimpleName() : e.getReason())
                    + "; give --state and --socket places that this user can write");
        } catch (IOException e) {
            throw new ServiceRefused("the service cannot start: " + e.getMessage());
        } catch (JavalinBindException e) {
            throw new ServiceRefused("the service cannot listen at "
                    + settings.tcp()
                            .map(tcp -> tcp.host() + ":" + tcp.port())
                            .orElseGet(
                                    () -> settings.socket().map(Path::toString).orElse(""))
                    + ", which is in use or no address of this host; stop who uses it, or choose another --listen");
        } catch (StorageUnavailable e) {
            throw new ServiceRefused(
                    e.getMessage() + "; make " + settings.state() + " a directory that this user can write");
        }
    }

    /** Ends the jobs while requests are still answered; new ones are told that the service stops. */
    private void end(JobDesk desk) {
        desk.close();
        RetryBackoff.until(ANSWERS, () -> api.waiting() == 0);
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    /** The TCP port; -1 when there is none. */
    public int port() {
        return http.port();
    }

    /** What is served. */
    HttpApi api() {
        return api;
    }

    /** The unix socket. */
    public Optional<Path> socket() {
        return settings.socket();
    }

    /** Where the service can ask itself whether it answers; null when it speaks TLS only. */
    @Nullable
    SocketAddress door() {
        if (settings.socket().isPresent()) {
            return UnixDomainSocketAddress.of(settings.socket().get());
        }
        ListenAddress.Tcp tcp = settings.tcp().orElseThrow();
        return tcp.tls() == null ? new InetSocketAddress(tcp.host(), port()) : null;
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                LOG.warn("a part of the service did not close: {}", e.toString());
            }
        }
    }
}
