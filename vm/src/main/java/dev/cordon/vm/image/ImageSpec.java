package dev.cordon.vm.image;

import dev.cordon.vm.layer.ImageProblem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * A root image as it is asked for: packages of the distribution on top of its minimal base, and files beside the description.
 *
 * @param description for people
 * @param packages    the packages, by name
 * @param copies      files and directories that lie beside the description, by where they are in the image
 * @param config      how it wants to be run
 */
record ImageSpec(String description, List<String> packages, SortedMap<String, String> copies, ImageConfig config) {
    private static final Pattern PACKAGE = Pattern.compile("[a-z0-9][a-z0-9.+-]{1,63}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.+@-]*";
    private static final Pattern TARGET = Pattern.compile("(/" + NAME + ")+");
    private static final Pattern SOURCE = Pattern.compile(NAME + "(/" + NAME + ")*");
    private static final Set<String> KEYS = Set.of("description", "packages", "copy", "env", "workdir", "cmd");

    ImageSpec {
        packages = List.copyOf(packages);
        copies = Collections.unmodifiableSortedMap(new TreeMap<>(copies));
    }

    /**
     * Reads TOML.
     *
     * @param toml the text
     * @param from where it is from, for messages
     */
    static ImageSpec parse(byte[] toml, String from) throws ImageProblem {
        return new Reader(root(toml, from), from).spec();
    }

    private static JsonNode root(byte[] toml, String from) throws ImageProblem {
        try {
            return new TomlMapper().readTree(new String(toml, StandardCharsets.UTF_8));
        } catch (JacksonException e) {
            throw new ImageProblem(
                    from + " is not TOML: " + e.getOriginalMessage(),
                    "mend line " + e.getLocation().getLineNr());
        }
    }

    private record Reader(JsonNode root, String from) {
        ImageSpec spec() throws ImageProblem {
            for (String key : root.propertyNames()) {
                require(
                        KEYS.contains(key),
                        key + " is not a setting of an image",
                        "known are description, packages, copy, env, workdir and cmd");
            }
            require(
                    root.has("packages"),
                    "packages is not a list",
                    "write one such as packages = [\"python3\"], or packages = [] for the minimal system");
            List<String> packages = texts("packages", "[\"python3\"]");
            for (String name : packages) {
                require(
                        PACKAGE.matcher(name).matches(),
                        "'" + name + "' is not a name of a package",
                        "use Debian's names of packages");
            }
            String workdir = text("workdir");
            require(
                    workdir.isEmpty() || TARGET.matcher(workdir).matches(),
                    "workdir = '" + workdir + "' is not an absolute path without . and ..",
                    "write one such as workdir = \"/app\"");
            ImageConfig config =
                    new ImageConfig(environment(), workdir, "", List.of(), texts("cmd", "[\"python3\", \"agent.py\"]"));
            return new ImageSpec(text("description"), packages, copies(), config);
        }

        private Map<String, String> environment() throws ImageProblem {
            Map<String, String> variables = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> entry : table("env")) {
                require(
                        VARIABLE.matcher(entry.getKey()).matches()
                                && entry.getValue().isString()
                                && entry.getValue().asString().indexOf('\0') < 0,
                        "env." + entry.getKey() + " is not a variable with a text",
                        "write one such as MODE = \"batch\" below [env]");
                variables.put(entry.getKey(), entry.getValue().asString());
            }
            return variables;
        }

        private SortedMap<String, String> copies() throws ImageProblem {
            SortedMap<String, String> copies = new TreeMap<>();
            for (Map.Entry<String, JsonNode> entry : table("copy")) {
                String source = entry.getValue().asString("");
                require(
                        TARGET.matcher(entry.getKey()).matches()
                                && SOURCE.matcher(source).matches(),
                        "copy: '" + entry.getKey() + "' = '" + source
                                + "' is not an absolute path and the name of something beside the description, of"
                                + " letters, digits, _ . + @ -",
                        "write \"/app/agent.py\" = \"agent.py\" below [copy]");
                copies.put(entry.getKey(), source);
            }
            return copies;
        }

        private Set<Map.Entry<String, JsonNode>> table(String key) throws ImageProblem {
            JsonNode table = root.path(key);
            require(table.isMissingNode() || table.isObject(), key + " is not a table", "write it below [" + key + "]");
            return table.properties();
        }

        private String text(String key) throws ImageProblem {
            JsonNode value = root.path(key);
            require(value.isMissingNode() || value.isString(), key + " is not a text", "put it in quotes");
            return value.asString("");
        }

        private List<String> texts(String key, String example) throws ImageProblem {
            JsonNode list = root.path(key);
            require(list.isMissingNode() || list.isArray(), key + " is not a list", "write one such as " + example);
            List<String> texts = new ArrayList<>();
            for (JsonNode element : list) {
                require(
                        element.isString() && element.asString().indexOf('\0') < 0,
                        key + ": " + element + " is not a text",
                        "write a list such as " + example);
                texts.add(element.asString());
            }
            return texts;
        }

        private void require(boolean right, String otherwise, String remedy) throws ImageProblem {
            if (!right) {
                throw new ImageProblem(from + ": " + otherwise, remedy);
            }
        }
    }
}
