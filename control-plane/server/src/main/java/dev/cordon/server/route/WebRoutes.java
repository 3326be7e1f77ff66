package dev.cordon.server.route;

import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JobBulletin;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.stream.BulletinStream;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pages: the dashboard and the documentation. Files out of the jars, from a fixed table; the pages ask the API for everything else. */
public record WebRoutes(JobBulletin bulletin) {
    private static final String OWN = "dev/cordon/server/";
    private static final String SWAGGER = "META-INF/resources/webjars/swagger-ui/5.34.1/";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";
    private static final String PAGE = "text/html; charset=utf-8";

    /** Where a file is, and what it is. */
    private record Asset(String resource, String type) {}

    /** The parts of the dashboard, modules that its page loads. */
    private static final List<String> DASHBOARD = List.of(
            "dashboard.js",
            "api.js",
            "bins.js",
            "detail.js",
            "host.js",
            "jobs.js",
            "plots.js",
            "sandboxes.js",
            "table.js",
            "text.js",
            "timeline.js");

    private static final Map<String, Asset> ASSETS = assets();

    private static Map<String, Asset> assets() {
        Map<String, Asset> assets = new HashMap<>(Map.of(
                "dashboard.css", new Asset(OWN + "web/dashboard.css", STYLE),
                "icon.svg", new Asset(OWN + "web/icon.svg", "image/svg+xml"),
                "docs.js", new Asset(OWN + "web/docs.js", SCRIPT),
                "chart.js", new Asset("META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.js", SCRIPT),
                "swagger-ui-bundle.js", new Asset(SWAGGER + "swagger-ui-bundle.js", SCRIPT),
                "swagger-ui.css", new Asset(SWAGGER + "swagger-ui.css", STYLE)));
        DASHBOARD.forEach(name -> assets.put(name, new Asset(OWN + "web/" + name, SCRIPT)));
        return Map.copyOf(assets);
    }

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get(
                        "/",
                        RouteAccess.PUBLIC,
                        ctx -> page(ctx, "web/dashboard.html", "style-src 'self'; img-src 'self'")),
                // Swagger UI writes style attributes and has its icons inline.
                ApiRoute.get(
                        "/docs",
                        RouteAccess.PUBLIC,
                        ctx -> page(ctx, "web/docs.html", "style-src 'self' 'unsafe-inline'; img-src 'self' data:")),
                ApiRoute.get(
                        "/openapi.yaml",
                        RouteAccess.PUBLIC,
                        ctx -> send(ctx, OWN + "openapi.yaml", "application/yaml")),
                ApiRoute.get("/assets/{name}", RouteAccess.PUBLIC, WebRoutes::asset),
                ApiRoute.get("/v1/events", RouteAccess.READ, ctx -> BulletinStream.send(ctx, bulletin), "after"));
    }

    private static void page(Context ctx, String name, String styles) {
        ctx.header(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; connect-src 'self'; " + styles
                        + "; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
        send(ctx, OWN + name, PAGE);
    }

    private static void asset(Context ctx) {
        Asset asset = ASSETS.get(ctx.pathParam("name"));
        if (asset == null) {
            throw RequestProblem.of(ProblemCode.NOT_FOUND, "there is no such file");
        }
        // Ours change with the service, and its modules must be of one version; those of the web jars have theirs in
        // their place.
        ctx.header("Cache-Control", asset.resource().startsWith(OWN) ? "no-cache" : "max-age=3600");
        send(ctx, asset.resource(), asset.type());
    }

    private static void send(Context ctx, String resource, String type) {
        // A module's own resources are its classes' alone; those of the web jars are everybody's.
        try (InputStream stream = resource.startsWith(OWN)
                ? WebRoutes.class.getResourceAsStream("/" + resource)
                : WebRoutes.class.getClassLoader().getResourceAsStream(resource)) {
            if (stream == null) {
                throw RequestProblem.of(ProblemCode.NOT_AVAILABLE, "this installation lacks the files of the pages");
            }
            ctx.contentType(type).result(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
