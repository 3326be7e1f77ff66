package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The document of the API, read as strictly as the browsers' readers do: a key that is there twice is an error. */
public final class ApiDocument {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch", "head", "options");

    private final JsonNode root;

    private ApiDocument(JsonNode root) {
        this.root = root;
    }

    public static ApiDocument read() throws IOException {
        return of(text());
    }

    public static ApiDocument of(String yaml) {
        YAMLMapper strict = YAMLMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        return new ApiDocument(strict.readTree(yaml));
    }

    /** As it is served. */
    public static String text() throws IOException {
        try (InputStream stream = Service.class.getResourceAsStream("openapi.yaml")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** METHOD path of every operation. */
    public Set<String> routes() {
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

    /** The names of an operation's parameters in the path or in the query. */
    public Set<String> parameters(String route, String place) {
        Set<String> names = new TreeSet<>();
        for (JsonNode parameters :
                List.of(path(route).path("parameters"), operation(route).path("parameters"))) {
            for (JsonNode parameter : parameters) {
                JsonNode resolved = resolved(parameter);
                if (resolved.path("in").asString().equals(place)) {
                    names.add(resolved.path("name").asString());
                }
            }
        }
        return names;
    }

    /** Whether an operation reads bodies of that type. */
    public boolean reads(String route, String type) {
        return operation(route).path("requestBody").path("content").has(type);
    }

    /** Fails unless the answer is one that the operation documents: its status, its content type, and the fields of its object. */
    public void check(String route, HttpResponse<String> answer) {
        String about = route + " " + answer.statusCode() + " " + answer.body();
        JsonNode responses = operation(route).path("responses");
        JsonNode response = responses.path(Integer.toString(answer.statusCode()));
        if (response.isMissingNode() && answer.statusCode() >= 400) {
            response = responses.path("default");
        }
        assertThat(response.isMissingNode()).as("undocumented: " + about).isFalse();
        if (answer.body().isEmpty()) {
            return;
        }
        String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
        JsonNode content = resolved(response).path("content");
        assertThat(content.isMissingNode() || content.has(type))
                .as("content type " + type + " of " + about)
                .isTrue();
        if (type.endsWith("json")) {
            object(resolved(content.path(type).path("schema")), JsonTree.read(answer.body()), about);
        }
    }

    private void object(JsonNode schema, JsonNode object, String about) {
        for (JsonNode required : schema.path("required")) {
            assertThat(object.has(required.asString()))
                    .as(required.asString() + " of " + about)
                    .isTrue();
        }
        JsonNode properties = schema.path("properties");
        assertThat(properties.isObject()).as("no properties: " + about).isTrue();
        assertThat(object.propertyNames()).as(about).isSubsetOf(properties.propertyNames());
        JsonNode items = resolved(properties.path("data").path("items"));
        if (items.has("properties")) {
            object.path("data").forEach(item -> object(items, item, about));
        }
    }

    private JsonNode path(String route) {
        return root.path("paths").path(route.substring(route.indexOf(' ') + 1));
    }

    private JsonNode operation(String route) {
        return path(route).path(route.substring(0, route.indexOf(' ')).toLowerCase(Locale.ROOT));
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? root.at(node.path("$ref").asString().substring(1)) : node;
    }
}
