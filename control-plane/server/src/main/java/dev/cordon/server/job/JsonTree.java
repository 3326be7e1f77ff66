package dev.cordon.server.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.TokenBuffer;

/** Trees of JSON. What clients send is read with bounds: depth, length of numbers and names, no key twice, nothing after the end. */
public final class JsonTree {
    private static final int DEEPEST = 32;
    private static final int LONGEST_NAME = 1_000;
    private static final int LONGEST_NUMBER = 64;

    /** A tree of empty objects takes thirty times the memory of its text. */
    private static final long MOST_TOKENS = 100_000;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxNameLength(LONGEST_NAME)
                            .maxNumberLength(LONGEST_NUMBER)
                            .maxTokenCount(MOST_TOKENS)
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JsonTree() {}

    /**
     * Reads one value.
     *
     * @throws tools.jackson.core.JacksonException when it is none, or beyond the bounds
     */
    public static JsonNode read(byte[] bytes) {
        return MAPPER.readTree(bytes);
    }

    /** Reads what this service wrote. */
    public static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    /** Reads what this service wrote into a file. */
    public static JsonNode read(InputStream stream) {
        return MAPPER.readTree(stream);
    }

    /** The tree of what a writer writes, without a text between. */
    static JsonNode tree(Consumer<JsonGenerator> writer) {
        try (TokenBuffer buffer = new TokenBuffer(ObjectWriteContext.empty(), false)) {
            writer.accept(buffer);
            return MAPPER.readTree(buffer.asParser(ObjectReadContext.empty()));
        }
    }

    /** Writes a tree in pieces, and leaves the stream open. */
    static void write(OutputStream stream, JsonNode node) throws IOException {
        try {
            MAPPER.writer().without(StreamWriteFeature.AUTO_CLOSE_TARGET).writeValue(stream, node);
        } catch (JacksonIOException e) { // the disk's matter, not the tree's
            throw e.getCause();
        }
    }

    /** Writes piece by piece. It throws {@link JacksonIOException} when the stream fails. */
    public static JsonGenerator generator(OutputStream stream) {
        return MAPPER.createGenerator(stream);
    }

    /** An empty object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** A page of a list, in the shape that all lists of the API have; the cursor is null on the last one. */
    public static ObjectNode page(Stream<? extends JsonNode> data, @Nullable String cursor) {
        ObjectNode page = object();
        data.forEach(page.putArray("data")::add);
        return page.put("next_cursor", cursor);
    }

    /** On one line. */
    public static String text(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }
}
