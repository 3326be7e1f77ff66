package dev.cordon.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The document of the API, read as strictly as the browsers' readers do: a key that is there twice is an error. */
final class ApiDocument {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch", "head", "options");

    private final JsonNode root;

    private ApiDocument(JsonNode root) {
        this.root = root;
    }

    static ApiDocument read() throws IOException {
        return of(text());
    }

    static ApiDocument of(String yaml) {
        YAMLMapper strict = YAMLMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        return new ApiDocument(strict.readTree(yaml));
    }

    /** As it is served. */
    static String text() throws IOException {
        try (InputStream stream = Service.class.getResourceAsStream("openapi.yaml")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** METHOD path of every operation. */
    Set<String> routes() {
        Set<String> routes = new LinkedHashSet<>();
        for (var path : root.path("paths").properties()) {
            for (var operation : path.getValue().properties()) {
                if (METHODS.contains(operation.getKey())) {
                    routes.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                }
            }
        }
        return routes;
    }
}
