package dev.cordon.vm.image;

import dev.cordon.vm.json.JsonReader;
import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * How an image wants to be run: what OCI calls its configuration. A job that says otherwise wins.
 *
 * @param environment variables, by name
 * @param workdir     the working directory; empty for none
 * @param user        who its programs run as, for people: a job has one user whatever its image
 * @param entrypoint  what its command line begins with
 * @param command     its command line, or the rest of it
 */
public record ImageConfig(
        Map<String, String> environment, String workdir, String user, List<String> entrypoint, List<String> command) {
    /** Wants nothing. */
    public static final ImageConfig NONE = new ImageConfig(Map.of(), "", "", List.of(), List.of());

    static final String FILE = "config";

    /** The kernel's MAX_ARG_STRLEN, execve(2): one string with its NUL. */
    private static final int MOST_WORD = 131_072;

    private static final int MOST_BYTES = 1 << 20;
    private static final JsonReader JSON = new JsonReader(4, MOST_BYTES);

    /** Copies the collections, keeping their order. */
    public ImageConfig {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
    }

    /** The whole command line; empty when the image has none. */
    public List<String> argv() {
        return Stream.concat(entrypoint.stream(), command.stream()).toList();
    }

    /**
     * The configuration in an OCI or Docker document. Of its variables, its directory and its user, what is not of the type that it should
     * be is left out.
     *
     * @throws ImageProblem when its command cannot be run as it is written: without one of its words it would be another
     */
    static ImageConfig ofOci(Map<String, @Nullable Object> document) throws ImageProblem {
        ImageConfig config = of(document);
        List<String> argv = config.argv();
        if (!argv.isEmpty() && argv.getFirst().isEmpty()) {
            throw unusable("begins with an empty word, which names no program");
        }
        for (String word : argv) {
            if (word.getBytes(StandardCharsets.UTF_8).length >= MOST_WORD) {
                throw unusable("has a word of 128 KiB or more, which the kernel passes to no program");
            }
        }
        return config;
    }

    private static ImageConfig of(Map<String, @Nullable Object> document) throws ImageProblem {
        Map<String, @Nullable Object> config =
                JsonReader.asObject(document.get("config")).orElse(Map.of());
        String workdir = text(config.get("WorkingDir"));
        return new ImageConfig(
                variables(texts(config.get("Env"))),
                workdir.startsWith("/") ? Path.of(workdir).normalize().toString() : "",
                text(config.get("User")),
                words(config, "Entrypoint"),
                words(config, "Cmd"));
    }

    private static List<String> words(Map<String, @Nullable Object> config, String key) throws ImageProblem {
        Object value = config.get(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            throw unusable("is not a list of words (" + key + ")");
        }
        List<String> words = new ArrayList<>();
        for (Object word : list) {
            if (!(word instanceof String text) || !isText(text)) {
                throw unusable("has a word that is not text (" + key + " " + words.size() + ")");
            }
            words.add(text);
        }
        return words;
    }

    private static ImageProblem unusable(String why) {
        return new ImageProblem("the image's command " + why, "make the image with another ENTRYPOINT or CMD");
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text && isText(text) ? text : "";
    }

    /** Whether a program can be given it: without NUL, and with whole characters only. */
    private static boolean isText(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static List<String> texts(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream()
                        .filter(Objects::nonNull)
                        .map(String::valueOf)
                        .filter(ImageConfig::isText)
                        .toList()
                : List.of();
    }

    /** Each as NAME=value, as the kernel has them. */
    private static Map<String, String> variables(List<String> assignments) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            if (equals > 0) {
                variables.put(assignment.substring(0, equals), assignment.substring(equals + 1));
            }
        }
        return variables;
    }

    /** In the words of OCI. */
    void write(Path file) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject().writeName("config").writeStartObject();
            write(
                    json,
                    "Env",
                    environment.entrySet().stream()
                            .map(variable -> variable.getKey() + "=" + variable.getValue())
                            .toList());
            json.writeStringProperty("WorkingDir", workdir).writeStringProperty("User", user);
            write(json, "Entrypoint", entrypoint);
            write(json, "Cmd", command);
            json.writeEndObject().writeEndObject();
        }
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_BYTES) {
            throw new ImageProblem(
                    "the image's variables, command and other settings have " + bytes.length + " bytes, more than "
                            + MOST_BYTES,
                    "make it with fewer");
        }
        Files.write(file, bytes);
    }

    private static void write(JsonGenerator json, String name, List<String> texts) {
        json.writeName(name).writeStartArray();
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    /** What was written; nothing, for an image that was made before there was anything to write. */
    static ImageConfig read(Path file) throws IOException {
        return Files.exists(file) ? of(JSON.object(Files.readAllBytes(file))) : NONE;
    }
}
