package dev.cordon.server.route;

import dev.cordon.config.Config;
import dev.cordon.job.Language;
import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.http.RouteAccess;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.job.LanguageRuntimes;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.vm.image.ImageListing;
import dev.cordon.vm.image.Images;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.LayerStore;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The languages whose code can be given as text, on the host or in an image. */
public record RuntimeRoutes(Config config, LanguageRuntimes runtimes) {
    private static final List<String> PATH = List.of("/usr/local/bin", "/usr/bin", "/bin");
    /** Of all languages together. */
    private static final Duration LONGEST = Duration.ofSeconds(3);

    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get("/v1/runtimes", RouteAccess.READ, this::list, "image"));
    }

    private void list(Context ctx) throws IOException, InterruptedException {
        String image = ctx.queryParam("image");
        String built = image == null ? "" : built(image);
        long deadline = System.nanoTime() + LONGEST.toNanos();
        ObjectNode answer = JsonTree.object().put("image", image);
        ArrayNode data = answer.putArray("data");
        for (Language language : Language.values()) {
            String stamp = image == null ? stamp(language) : built;
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            LanguageRuntimes.Version version = stamp.isEmpty()
                    ? new LanguageRuntimes.Version(
                            null, "there is no " + language.interpreter().getFirst() + " on this host")
                    : runtimes.of(language, image, stamp, left);
            data.add(json(language, version, !stamp.isEmpty()));
        }
        HttpAnswers.json(ctx, 200, answer);
    }

    private static ObjectNode json(Language language, LanguageRuntimes.Version version, boolean there) {
        ObjectNode runtime = JsonTree.object()
                .put("language", language.label())
                .put("version", version.number())
                .put("version_unknown", version.reason());
        ArrayNode aliases = runtime.putArray("aliases");
        language.aliases().forEach(aliases::add);
        return runtime.put("runtime", language.interpreter().getFirst())
                .put("interpreter", String.join(" ", language.interpreter()))
                .put("file_name", language.fileName())
                .put("available", version.number() != null || there);
    }

    /** Changes when the program does; empty when there is none. */
    private static String stamp(Language language) throws IOException {
        Optional<Path> program = PATH.stream()
                .map(directory -> Path.of(directory, language.interpreter().getFirst()))
                .filter(Files::isExecutable)
                .findFirst();
        if (program.isEmpty()) {
            return "";
        }
        Path real = program.get().toRealPath();
        return real + " " + Files.getLastModifiedTime(real) + " " + Files.size(real);
    }

    /** Only what is built: to list languages is not a reason to build an image. */
    private String built(@Nullable String image) throws IOException {
        Images images = new Images(
                new LayerStore(config.stateDirectory().resolve("vm")),
                config.vm().images(),
                BuildProgress.silent());
        for (ImageListing listing : images.list()) {
            if (listing.name().equals(image) && listing.built()) {
                return listing.name() + " " + listing.size();
            }
        }
        throw RequestProblem.of(
                ProblemCode.TEMPLATE_NOT_FOUND,
                "there is no image of that name that is built; GET /v1/templates lists them");
    }
}
