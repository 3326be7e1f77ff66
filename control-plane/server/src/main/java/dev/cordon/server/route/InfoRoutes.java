package dev.cordon.server.route;

import dev.cordon.config.Config;
import dev.cordon.doctor.DiagnosisJson;
import dev.cordon.doctor.HostCheck;
import dev.cordon.doctor.HostDiagnosis;
import dev.cordon.doctor.SoftwareVersions;
import dev.cordon.job.Isolation;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.LimitJson;
import dev.cordon.server.access.Role;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JobDesk;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.job.SandboxDesk;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import io.javalin.http.Context;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the service is and how it is. */
public final class InfoRoutes {
    private final Config config;
    private final ServiceReadiness readiness;
    private final JobDesk desk;
    private final SandboxDesk sandboxes;
    private final Path state;
    private final PrometheusMeterRegistry metrics;
    private final SoftwareVersions versions = SoftwareVersions.ofThisHost();

    /** With the directory whose disk fills. */
    public InfoRoutes(
            Config config,
            ServiceReadiness readiness,
            JobDesk desk,
            SandboxDesk sandboxes,
            PrometheusMeterRegistry metrics,
            Path state) {
        this.config = config;
        this.readiness = readiness;
        this.desk = desk;
        this.sandboxes = sandboxes;
        this.state = state;
        this.metrics = metrics;
    }

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/healthz", RouteAccess.PUBLIC, ctx -> HttpAnswers.json(ctx, 200, "{\"status\":\"ok\"}")),
                ApiRoute.get("/readyz", RouteAccess.PUBLIC, this::ready),
                ApiRoute.get("/metrics", RouteAccess.READ, this::metrics),
                ApiRoute.get("/v1/info", RouteAccess.READ, this::info),
                ApiRoute.get("/v1/doctor", RouteAccess.READ, this::doctor));
    }

    /** Says that, not why: the reasons are for those who have a token. */
    private void ready(Context ctx) {
        if (!readiness.ready()) {
            throw RequestProblem.of(
                            ProblemCode.NOT_READY,
                            "this service should get no jobs now; GET /v1/doctor tells administrators why")
                    .retryAfter(Duration.ofSeconds(10));
        }
        HttpAnswers.json(ctx, 200, "{\"status\":\"ready\"}");
    }

    private void metrics(Context ctx) {
        ctx.contentType("text/plain; version=0.0.4; charset=utf-8").result(metrics.scrape());
    }

    /** What is open on the host, its kernel and its paths are for who can mend them; everybody else hears whether jobs can run. */
    private void doctor(Context ctx) {
        HostDiagnosis found = readiness.diagnosis();
        HttpAnswers.json(ctx, 200, isAdmin(ctx) ? DiagnosisJson.of(found) : DiagnosisJson.brief(found));
    }

    private static boolean isAdmin(Context ctx) {
        return RequestFacts.caller(ctx).role() == Role.ADMIN;
    }

    private void info(Context ctx) throws IOException {
        ObjectNode info = JsonTree.object().put("name", "cordon").put("version", versions.cordon());
        if (isAdmin(ctx)) {
            info.put("java", versions.java()).put("kernel", versions.kernel());
        }
        ArrayNode levels = info.putArray("isolation");
        levels.add(Isolation.JAIL.label());
        if (hasVm()) {
            levels.add(Isolation.VM.label());
        }
        limits(info.putObject("defaults"), config.defaults());
        limits(info.putObject("ceilings"), config.ceilings());
        info.put("open_jobs", desk.open()).put("queued_jobs", desk.queue().queued());
        info.put("running_jobs", desk.queue().running());
        info.put("open_sandboxes", sandboxes.count());
        info.set("host", HostFigures.of(state));
        HttpAnswers.json(ctx, 200, info);
    }

    /** As far as the doctor's checks of the machine tell: an emulated one is there only where the operator allows it. */
    private boolean hasVm() {
        return passes("qemu") && (config.vm().allowEmulated() || passes("kvm"));
    }

    private boolean passes(String id) {
        return readiness.diagnosis().checks().stream()
                .anyMatch(check -> check.id().equals(id) && check.status() == HostCheck.Status.PASS);
    }

    private static void limits(ObjectNode node, Map<Limit, Long> amounts) {
        amounts.forEach((limit, amount) -> LimitJson.write(node, limit, amount));
    }
}
