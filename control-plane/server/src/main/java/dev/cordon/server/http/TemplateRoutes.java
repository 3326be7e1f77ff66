package dev.cordon.server.http;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.server.jobs.Builds;
import dev.cordon.server.jobs.Json;
import dev.cordon.server.problem.Code;
import dev.cordon.server.problem.Problem;
import dev.cordon.vm.image.ImageListing;
import dev.cordon.vm.image.ImageProblem;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.image.Layers;
import dev.cordon.vm.image.Progress;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Images: what there is, and building one. */
final class TemplateRoutes {
    private static final long SMALL = 4 << 10;

    private final Config config;
    private final Builds builds = new Builds();
    private final Creations started = new Creations();

    TemplateRoutes(Config config) {
        this.config = config;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/templates", Access.READ, this::list),
                Route.post("/v1/templates/{name}/builds", Access.ADMIN, this::build),
                Route.get("/v1/templates/{name}/builds/{id}", Access.ADMIN, this::follow, "after", "follow"));
    }

    private Images images(Progress progress) throws IOException {
        return new Images(
                new Layers(config.stateDirectory().resolve("vm")), config.vm().images(), progress);
    }

    private void list(Context ctx) throws IOException {
        ArrayNode data = Json.array();
        for (ImageListing image : images(Progress.silent()).list()) {
            data.addObject()
                    .put("name", image.name())
                    .put("object", "template")
                    .put("origin", image.origin())
                    .put("description", image.description())
                    .put("built", image.built())
                    .put("size_bytes", image.size());
        }
        ObjectNode answer = Json.object();
        answer.set("data", data);
        Answers.json(ctx, 200, answer.putNull("next_cursor"));
    }

    /** Builds it when it is not there, or anew with what the distribution has now. */
    private void build(Context ctx) throws IOException, InterruptedException {
        byte[] body = Body.bytes(ctx, SMALL);
        boolean refresh = body.length > 0 && refresh(ctx, body);
        String name = ctx.pathParam("name");
        if (!known(name)) {
            throw notFound(name);
        }
        Creations.Created created =
                started.once(ctx, body, () -> start(name, refresh).id());
        Builds.Build build = builds.find(name, created.id()).orElseThrow(() -> notFound(name));
        ctx.header("Location", "/v1/templates/" + name + "/builds/" + build.id());
        if (EventStream.wanted(ctx)) {
            EventStream.send(ctx, build.events());
        } else {
            Answers.json(ctx, 202, json(build));
        }
    }

    private Builds.Build start(String name, boolean refresh) {
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
                .orElseThrow(() -> Problem.of(Code.STATE_CONFLICT, "another build is not over; try again when it is")
                        .retryAfter(Duration.ofSeconds(10)));
    }

    private static boolean refresh(Context ctx, byte[] body) {
        Body.requireJson(ctx);
        Fields fields = Body.fields(body);
        boolean refresh = fields.flag("refresh");
        fields.end();
        return refresh;
    }

    private boolean known(String name) throws IOException {
        try {
            return images(Progress.silent()).has(name);
        } catch (ImageProblem | IllegalArgumentException e) {
            return false; // no name that an image can have
        }
    }

    private void follow(Context ctx) throws IOException, InterruptedException {
        String name = ctx.pathParam("name");
        Builds.Build build = builds.find(name, ctx.pathParam("id")).orElseThrow(() -> notFound(name));
        if (EventStream.wanted(ctx)) {
            EventStream.send(ctx, build.events());
        } else {
            Answers.json(ctx, 200, json(build));
        }
    }

    private static ObjectNode json(Builds.Build build) {
        boolean over = build.events().over();
        return Json.object()
                .put("id", build.id())
                .put("object", "build")
                .put("template", build.image())
                .put("state", over ? "finished" : "running");
    }

    private static Problem notFound(String name) {
        return Problem.of(
                Code.TEMPLATE_NOT_FOUND,
                "there is no such template or build of " + name + "; GET /v1/templates lists them");
    }
}
