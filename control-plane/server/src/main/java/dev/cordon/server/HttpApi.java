package dev.cordon.server;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.server.access.CredentialTokens;
import dev.cordon.server.access.SocketPeers;
import dev.cordon.server.access.TokenSessions;
import dev.cordon.server.config.ListenAddress;
import dev.cordon.server.config.ServerSettings;
import dev.cordon.server.http.AdminTrail;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.RequestGuard;
import dev.cordon.server.http.RequestLoad;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.LanguageRuntimes;
import dev.cordon.server.job.SandboxDesk;
import dev.cordon.server.route.ArtifactRoutes;
import dev.cordon.server.route.AuditRoutes;
import dev.cordon.server.route.FileRoutes;
import dev.cordon.server.route.FilesReload;
import dev.cordon.server.route.InfoRoutes;
import dev.cordon.server.route.JobControls;
import dev.cordon.server.route.JobRoutes;
import dev.cordon.server.route.PolicyRoutes;
import dev.cordon.server.route.RuntimeRoutes;
import dev.cordon.server.route.SandboxRoutes;
import dev.cordon.server.route.ServiceReadiness;
import dev.cordon.server.route.TemplateRoutes;
import dev.cordon.server.route.TerminalRoute;
import dev.cordon.server.route.TokenRoutes;
import dev.cordon.server.route.ToolRoutes;
import dev.cordon.server.route.WebRoutes;
import dev.cordon.server.store.ArtifactStore;
import dev.cordon.server.store.JobHistory;
import dev.cordon.server.store.TokenStore;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** All routes, and who listens for them. */
public final class HttpApi {
    private final TokenStore tokens;
    private final TokenSessions sessions;
    private final ServerSettings settings;
    private final TerminalRoute terminal;
    private final RequestLoad load;
    private final List<ApiRoute> routes = new ArrayList<>();

    /** Puts the routes together. */
    public HttpApi(
            Config config,
            Supplier<Config> again,
            Cordon cordon,
            JobDesk desk,
            SandboxDesk sandboxes,
            JobHistory history,
            ArtifactStore artifacts,
            TokenStore tokens,
            TokenSessions sessions,
            ServiceReadiness readiness,
            PrometheusMeterRegistry metrics,
            ServerSettings settings) {
        this.tokens = tokens;
        this.sessions = sessions;
        this.settings = settings;
        this.load = new RequestLoad(RequestLoad.Bounds.of(Runtime.getRuntime().maxMemory(), settings.request()));
        AdminTrail trail = new AdminTrail(cordon, desk, history, sandboxes);
        this.terminal = new TerminalRoute(desk, sessions, trail::others);
        JobRoutes.Bounds bounds = new JobRoutes.Bounds(settings.longestWait(), settings.request(), settings.output());
        JobRoutes jobs = new JobRoutes(cordon, desk, history, config.defaults(), bounds);
        routes.addAll(jobs.routes());
        routes.addAll(new ArtifactRoutes(desk, history, artifacts).routes());
        routes.addAll(terminal.routes());
        routes.addAll(new JobControls(desk, history).routes());
        routes.addAll(new SandboxRoutes(sandboxes, jobs).routes());
        routes.addAll(new FileRoutes(sandboxes).routes());
        routes.addAll(new InfoRoutes(config, readiness, desk, sandboxes, metrics, settings.state()).routes());
        routes.addAll(new RuntimeRoutes(config, new LanguageRuntimes(cordon)).routes());
        routes.addAll(new TemplateRoutes(config).routes());
        routes.addAll(new TokenRoutes(tokens, sessions, desk, trail, settings.tokenLifetime()).routes());
        routes.addAll(new ToolRoutes(cordon, jobs, config.defaults(), settings.request()).routes());
        routes.addAll(new PolicyRoutes(cordon, new FilesReload(cordon, config, again, this::readTokensAgain), bounds)
                .routes());
        routes.addAll(new AuditRoutes(config.audit()).routes());
        routes.addAll(new WebRoutes(desk.bulletin()).routes());
        routes.replaceAll(trail::watched);
    }

    /** The operator's tokens once more; what those have open that are gone, or are not what they were, ends. */
    private void readTokensAgain() throws IOException {
        tokens.replace(CredentialTokens.read(settings.credentials())).forEach(id -> sessions.revoked(id, null));
    }

    /** Every route that is served. */
    List<ApiRoute> routes() {
        return List.copyOf(routes);
    }

    /** How many requests are being answered. */
    public int waiting() {
        return load.requests();
    }

    /** Starts to listen. */
    public HttpServer start() throws IOException {
        List<ListenAddress> listeners = new ArrayList<>();
        settings.tcp().ifPresent(listeners::add); // first: Javalin asks the first connector for its port
        settings.socket().ifPresent(path -> listeners.add(new ListenAddress.Unix(path)));
        RequestGuard guard =
                new RequestGuard(tokens, sessions, SocketPeers.of(settings.group()), settings.hosts(), load);
        return HttpServer.start(guard, routes(), terminal, listeners);
    }
}
