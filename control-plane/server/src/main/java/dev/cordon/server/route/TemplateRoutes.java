package dev.cordon.server.route;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.json.RequestFields;
import dev.cordon.server.access.Role;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.IdempotentCreations;
import dev.cordon.server.http.RequestBody;
import dev.cordon.server.http.RequestFacts;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.ImageBuilds;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.server.stream.EventStream;
import dev.cordon.vm.image.ImageListing;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.ImageProblem;
import dev.cordon.vm.layer.LayerStore;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Images: what there is, and building one. */
public final class TemplateRoutes {
    private static final long SMALL = 4 << 10;

    private final Config config;
    private final ImageBuilds builds = new ImageBuilds();
    private final IdempotentCreations started = new IdempotentCreations();

    public TemplateRoutes(Config config) {
        this.config = config;
    }

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/templates", RouteAccess.READ, this::list),
                ApiRoute.post("/v1/templates/{name}/builds", RouteAccess.ADMIN, this::build),
                ApiRoute.get("/v1/templates/{name}/builds/{id}", RouteAccess.ADMIN, this::follow, "after", "follow"));
    }

    private Images images(BuildProgress progress) throws IOException {
        return new Images(
                new LayerStore(config.stateDirectory().resolve("vm")),
                config.vm().images(),
                progress);
    }

    private void list(Context ctx) throws IOException {
        List<ImageListing> images = images(BuildProgress.silent()).list();
        boolean admin = RequestFacts.caller(ctx).role() == Role.ADMIN;
        HttpAnswers.json(ctx, 200, JsonTree.page(images.stream().map(image -> json(image, admin)), null));
    }

    /** The values of an image's variables and its command may have secrets of whoever made it: they are for administrators, the names for all. */
    private static ObjectNode json(ImageListing image, boolean admin) {
        ObjectNode json = JsonTree.object()
                .put("name", image.name())
                .put("object", "template")
                .put("origin", image.origin())
                .put("description", image.description())
                .put("built", image.built())
                .put("size_bytes", image.size())
                .put("workdir", image.config().workdir())
                .put("user", image.config().user());
        ObjectNode variables = json.putObject("env");
        image.config().environment().forEach((name, value) -> variables.put(name, admin ? value : null));
        List<String> argv = image.config().argv();
        if (admin || argv.isEmpty()) {
            argv.forEach(json.putArray("argv")::add);
        } else {
            json.putNull("argv");
        }
        return json;
    }

    /** Builds it when it is not there, or anew with what the distribution has now. */
    private void build(Context ctx) throws IOException, InterruptedException {
        byte[] body = RequestBody.bytes(ctx, SMALL);
        boolean refresh = body.length > 0 && refresh(ctx, body);
        String name = ctx.pathParam("name");
        if (!known(name)) {
            throw notFound(name);
        }
        IdempotentCreations.Created created =
                started.once(ctx, body, () -> start(name, refresh).id());
        ImageBuilds.Build build = builds.find(name, created.id()).orElseThrow(() -> notFound(name));
        ctx.header("Location", "/v1/templates/" + name + "/builds/" + build.id());
        if (EventStream.wanted(ctx)) {
            EventStream.send(ctx, build.events());
        } else {
            HttpAnswers.json(ctx, 202, json(build));
        }
    }

    private ImageBuilds.Build start(String name, boolean refresh) {
        return builds.start("bld_" + Cordon.newId().value().replace("job_", ""), name, progress -> {
                    Images images = images(progress);
                    if (refresh) {
                        images.renewKernel();
                        images.rebuild(name);
                    } else {
                        images.obtain(name);
                    }
                    images.bootFiles();
                })
                .orElseThrow(() -> RequestProblem.of(
                                ProblemCode.STATE_CONFLICT, "another build is not over; try again when it is")
                        .retryAfter(Duration.ofSeconds(10)));
    }

    private static boolean refresh(Context ctx, byte[] body) {
        RequestBody.requireJson(ctx);
        RequestFields fields = RequestBody.fields(body);
        boolean refresh = fields.flag("refresh");
        fields.end();
        return refresh;
    }

    private boolean known(String name) throws IOException {
        try {
            return images(BuildProgress.silent()).has(name);
        } catch (ImageProblem | IllegalArgumentException e) {
            return false; // no name that an image can have
        }
    }

    private void follow(Context ctx) throws IOException, InterruptedException {
        String name = ctx.pathParam("name");
        ImageBuilds.Build build = builds.find(name, ctx.pathParam("id")).orElseThrow(() -> notFound(name));
        if (EventStream.wanted(ctx)) {
            EventStream.send(ctx, build.events());
        } else {
            HttpAnswers.json(ctx, 200, json(build));
        }
    }

    private static ObjectNode json(ImageBuilds.Build build) {
        boolean over = build.events().over();
        return JsonTree.object()
                .put("id", build.id())
                .put("object", "build")
                .put("template", build.image())
                .put("state", over ? "finished" : "running");
    }

    private static RequestProblem notFound(String name) {
        return RequestProblem.of(
                ProblemCode.TEMPLATE_NOT_FOUND,
                "there is no such template or build of " + name + "; GET /v1/templates lists them");
    }
}
